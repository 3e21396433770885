import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from "prom-client";

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
    const series = new Map<string, Distribution>();
    const described = { name, help, type: "histogram", aggregator: "sum" };
    const values = () => [...series.values()].flatMap((one) => samplesOf(name, buckets, one));
    // Counted here, as a counter is. This is what the library asks of a metric of its own.
    const metric = { ...described, get: () => Promise.resolve({ ...described, values: values() }) };
    this.#registry.registerMetric(metric as unknown as Metric);
    const seriesOf = (of: LabelValues<L>): Distribution => {
      const key = keyOf(labels, of);
      let one = series.get(key);
      if (one === undefined) series.set(key, (one = { of, counts: new Float64Array(buckets.length + 1), sum: 0 }));
      return one;
    };
    // Only one without labels has zeros in advance: a histogram has as many series as buckets, and most functions are seldom called.
    if (Object.keys(labels).length === 0) seriesOf({} as LabelValues<L>);
    return (of, value) => {
      const one = seriesOf(of);
      let at = 0;
      while (at < buckets.length && value > (buckets[at] as number)) at += 1;
      one.counts[at] = (one.counts[at] as number) + 1;
      one.sum += value;
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

/** How many values of a series fell into each bucket; the last one takes what is beyond all bounds. */
type Distribution = { of: Record<string, string>; counts: Float64Array; sum: number };

/** A series of a histogram: how many of its values were not above each bound, their sum and their number. */
function samplesOf(name: string, bounds: readonly number[], { of, counts, sum }: Distribution) {
  let count = 0;
  const buckets = [...bounds, "+Inf"].map((le, at) => {
    count += counts[at] ?? 0;
    return { metricName: `${name}_bucket`, labels: { le, ...of }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: of, value: sum },
    { metricName: `${name}_count`, labels: of, value: count },
  ];
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
