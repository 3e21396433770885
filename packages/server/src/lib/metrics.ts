import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The labels of a metric with all values that each may have: closed lists, so that no id, number or text can become a series. */
export type Labels = Readonly<Record<string, readonly string[]>>;
export type LabelValues<L extends Labels> = { readonly [Name in keyof L]: L[Name][number] };

export type MetricOptions<L extends Labels> = {
  /** `waypost_<what>_<unit>`, counters with `_total`. */
  name: string;
  help: string;
  labels: L;
};
/** A value of a gauge, or null where it is not known now. */
export type GaugeValue<L extends Labels> = readonly [LabelValues<L>, number | null];

/** Seconds: from a statement on the same machine to the longest that a call of the provider may take. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A scrape waits this long for the database; without its answer it says the rest. */
const DATABASE_WITHIN_MS = 1_000;

/**
 * What the process counts of itself. Counters and histograms live in memory and cost well below a microsecond a call; gauges are
 * read when they are asked for. Every counter begins with 0 for each of its label values, so that the first event is a rise.
 */
export class Metrics {
  readonly #registry = new Registry();

  counter<const L extends Labels>({ name, help, labels }: MetricOptions<L>): (of: LabelValues<L>, by?: number) => void {
    const series = new Map(combinations(labels).map((of) => [keyOf(labels, of), { of, count: 0 }]));
    // Counted here: the library finds a series by its labels again at each call.
    new Counter({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { of, count } of series.values()) this.inc(of, count);
      },
    });
    return (of, by = 1) => {
      const one = series.get(keyOf(labels, of));
      if (one !== undefined) one.count += by;
    };
  }

  histogram<const L extends Labels>(
    { name, help, labels }: MetricOptions<L>,
    buckets: number[] = SECONDS,
  ): (of: LabelValues<L>, value: number) => void {
    const labelNames = Object.keys(labels);
    const histogram = new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
    const series = new Map<string, { observe(value: number): void }>();
    // Without zeros in advance: a histogram has as many series as buckets, and most functions are seldom called.
    return (of, value) => {
      const key = keyOf(labels, of);
      let one = series.get(key);
      if (one === undefined) series.set(key, (one = histogram.labels(of)));
      one.observe(value);
    };
  }

  /** `read` runs at each scrape; when it fails the gauge has no value in that scrape. */
  gauge<const L extends Labels>(
    { name, help, labels }: MetricOptions<L>,
    read: () => readonly GaugeValue<L>[] | Promise<readonly GaugeValue<L>[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [this.#registry],
      async collect() {
        this.reset();
        const values = await Promise.resolve()
          .then(read)
          .catch((): [] => []);
        // A gauge without labels was set to 0 by the reset.
        if (values.every(([, value]) => value === null)) this.remove({});
        for (const [of, value] of values) if (value !== null) this.set(of, value);
      },
    });
  }

  /** Event loop, heap, garbage collection and handles of the process. They measure all the time, so only where they are asked for. */
  withProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Everything in the text format of Prometheus 0.0.4. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

function combinations<L extends Labels>(labels: L): LabelValues<L>[] {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(labels))
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  return all as LabelValues<L>[]; // each has one value of every label
}

function keyOf<L extends Labels>(labels: L, of: LabelValues<L>): string {
  let key = "";
  for (const name in labels) key += `${of[name]} `;
  return key;
}

/** For gauges that ask the database: one question at a time, however often it is asked; null when it has no answer in time. */
export function askOnce<T>(ask: () => Promise<T>): () => Promise<T | null> {
  let asked: Promise<T | null> | null = null;
  return async () => {
    asked ??= ask()
      .catch(() => null)
      .finally(() => {
        asked = null;
      });
    let timer: NodeJS.Timeout | null = null;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), DATABASE_WITHIN_MS).unref();
    });
    return await Promise.race([asked, late]).finally(() => timer && clearTimeout(timer));
  };
}
