import { setImmediate as turn } from "node:timers/promises";
import { expect } from "vitest";
import { type BatchLimits, createBatcher, type TighterLimits } from "../batch.ts";

/** What a row past the bound is refused with. */
export const full = new Error("too much waits");

/** The failure that is hopeless: nobody gets through. */
export class Away extends Error {}

type Row = { name: string; of: string; bytes: number; weight: number };

/** A flush in the air: the test lands it. Both return after everyone who waited for it has gone on. */
type Flight = { rows: string[]; land(answers?: string[]): Promise<void>; crash(error: Error): Promise<void> };

/** One turn for the answers to be given out, which may take a turn of its own after the next flush left. */
async function settled(): Promise<void> {
  await turn();
  await turn();
}

export function row(name: string, size: Partial<Omit<Row, "name">> = {}): Row {
  return { name, of: "w", bytes: 1, weight: 1, ...size };
}

export function rows(many: number, of = "w"): Row[] {
  return Array.from({ length: many }, (_, index) => row(`${of}${index}`, { of }));
}

export function names(list: readonly Row[]): string[] {
  return list.map(({ name }) => name);
}

/** A batcher whose flushes are flights that the test lands, with a clock that the test sets. */
export function airfield(
  limits: Partial<BatchLimits> = {},
  { inOrder = false, shared = false, tighter }: { inOrder?: boolean; shared?: boolean; tighter?: TighterLimits } = {},
) {
  const flights: Flight[] = [];
  const solos: string[] = [];
  /** What happens, in order. */
  const log: string[] = [];
  /** Rows that fail alone too. */
  const faults = new Map<string, Error>();
  /** Rows that may try once more when they failed alone. */
  const patient = new Set<string>();
  const state = { now: 0 };
  let gate = Promise.resolve();

  const batcher = createBatcher<Row, string>({
    flush: (batch) =>
      new Promise((resolve, reject) => {
        log.push(`flush ${names(batch).join(" ")}`);
        flights.push({
          rows: names(batch),
          land: (answers = batch.map(({ name }) => `${name}!`)) => {
            resolve(answers);
            return settled();
          },
          crash: (error) => {
            reject(error);
            return settled();
          },
        });
      }),
    async solo({ name }) {
      solos.push(name);
      await gate;
      const fault = faults.get(name);
      if (fault) throw fault;
      return `${name} alone`;
    },
    again: (_error, { name }) => patient.delete(name),
    group: ({ of }) => of,
    bytes: ({ bytes }) => bytes,
    weight: ({ weight }) => weight,
    hopeless: (error) => error instanceof Away,
    overloaded: () => full,
    monotonic: () => state.now,
    ...(inOrder ? { inOrder: { stops: (error: unknown) => error instanceof Away } } : {}),
    ...(tighter ? { tighter } : {}),
    ...(shared ? { shared: () => true } : {}),
    limits,
  });

  /** Hands a row in; what came of it is logged and returned, an error as itself. */
  function submit(next: Row): Promise<unknown> {
    return batcher.submit(next).then(
      (answer) => {
        log.push(answer);
        return answer;
      },
      (error: unknown) => error,
    );
  }

  return {
    batcher,
    flights,
    solos,
    log,
    faults,
    patient,
    state,
    submit,
    submitAll: (list: readonly Row[]) => Promise.all(list.map(submit)),
    /** Rows that go one by one wait until the returned function is called. */
    holdSolos(): () => void {
      let open = (): void => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    /** Keeps one flush in the air, so that what follows is collected until it lands. */
    async busy(): Promise<Flight> {
      void submit(row("ahead", { of: "ahead" }));
      await turn();
      return flights.at(-1)!;
    },
    /** Rows of every flush from the nth on, landing each as it leaves. */
    async flown(from: number): Promise<string[][]> {
      for (let index = from; index < flights.length; index += 1) await flights[index]!.land();
      return flights.slice(from).map((flight) => flight.rows);
    },
    /** Lets one row of `of` fail its batch and then itself. */
    async suspect(of: string): Promise<void> {
      const name = `bad ${of}`;
      faults.set(name, new Error(name));
      const outcome = submit(row(name, { of }));
      await turn();
      await flights.at(-1)!.crash(new Error("batch"));
      expect(await outcome).toBe(faults.get(name));
    },
  };
}
