import { setImmediate as turn } from "node:timers/promises";
import { expect } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { Batcher } from "../batch/batch.ts";
import type { BatchLimits, TighterLimits } from "../batch/options.ts";

/** The error for a row that exceeds the bounds of waiting rows. */
export const overloaded = new Error("too much waits");

/** A systemic failure: no row caused it. */
export class Unavailable extends Error {}

export type Row = { name: string; of: string; bytes: number; weight: number };

/** A flush in flight, ended by the test. Both methods resolve after all callers that waited for it have continued. */
type PendingFlush = { rows: string[]; answer(answers?: string[]): Promise<void>; fail(error: Error): Promise<void> };

/** Answers may take a turn of their own, after the next flush has left. */
async function settled(): Promise<void> {
  await turn();
  await turn();
}

/** A row of the group `of`. */
export function row(name: string, size: Partial<Omit<Row, "name">> = {}): Row {
  return { name, of: "w", bytes: 1, weight: 1, ...size };
}

export function rows(many: number, of = "w"): Row[] {
  return Array.from({ length: many }, (_, index) => row(`${of}${index}`, { of }));
}

export function names(list: readonly Row[]): string[] {
  return list.map(({ name }) => name);
}

/** A batcher whose flushes the test ends, under a clock that the test sets. */
export function manualBatcher(
  limits: Partial<BatchLimits> = {},
  {
    inOrder = false,
    shared = false,
    rests = false,
    tighter,
  }: { inOrder?: boolean; shared?: boolean; rests?: boolean; tighter?: TighterLimits } = {},
) {
  const flushes: PendingFlush[] = [];
  const solos: string[] = [];
  /** What happens, in order. */
  const log: string[] = [];
  /** Rows that fail alone too. */
  const faults = new Map<string, Error>();
  /** Rows that may be called once more after they failed alone. */
  const retried = new Set<string>();
  const clock = manualClock();
  /** The rows that were submitted here and have no answer yet. */
  const state = { unsettled: 0 };
  let gate = Promise.resolve();

  const batcher = new Batcher<Row, string>({
    flush: (batch) =>
      new Promise((resolve, reject) => {
        const sent = names(batch.map(({ row }) => row));
        log.push(`flush ${sent.join(" ")}`);
        flushes.push({
          rows: sent,
          answer: (answers = sent.map((name) => `${name}!`)) => {
            resolve(answers);
            return settled();
          },
          fail: (error) => {
            reject(error);
            return settled();
          },
        });
      }),
    async solo({ row: { name } }) {
      solos.push(name);
      await gate;
      const fault = faults.get(name);
      if (fault) throw fault;
      return `${name} alone`;
    },
    mayRetry: (_error, { row }) => retried.delete(row.name),
    group: ({ of }) => of,
    text: ({ bytes }) => "x".repeat(bytes),
    weight: ({ weight }) => weight,
    isSystemic: (error) => error instanceof Unavailable,
    overloaded: () => overloaded,
    clock,
    ...(rests ? { rests } : {}),
    ...(inOrder ? { inOrder: { stops: (error: unknown) => error instanceof Unavailable } } : {}),
    ...(tighter ? { tighter } : {}),
    ...(shared ? { shared: () => true } : {}),
    limits,
  });

  /** Submits a row; its answer is logged and returned, an error is returned as itself. */
  function submit(next: Row): Promise<unknown> {
    state.unsettled += 1;
    return batcher.submit(next).then(
      (answer) => {
        state.unsettled -= 1;
        log.push(answer);
        return answer;
      },
      (error: unknown) => {
        state.unsettled -= 1;
        return error;
      },
    );
  }

  return {
    batcher,
    clock,
    flushes,
    solos,
    log,
    faults,
    retried,
    state,
    submit,
    submitAll: (list: readonly Row[]) => Promise.all(list.map(submit)),
    /** Calls of lone rows wait until the returned function is called. */
    holdSolos(): () => void {
      let open = (): void => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    /** Keeps one flush in flight, so that the rows submitted next are queued until it is answered. */
    async occupy(): Promise<PendingFlush> {
      void submit(row("ahead", { of: "ahead" }));
      await turn();
      return flushes.at(-1)!;
    },
    /** The rows of every flush from the nth on, each of which is answered as it leaves. */
    async answerAll(from: number): Promise<string[][]> {
      for (let index = from; index < flushes.length; index += 1) await flushes[index]!.answer();
      return flushes.slice(from).map((flush) => flush.rows);
    },
    /** Lets one row of `of` fail in its batch and then alone. */
    async failOnce(of: string): Promise<void> {
      const name = `bad ${of}`;
      faults.set(name, new Error(name));
      const outcome = submit(row(name, { of }));
      await turn();
      await flushes.at(-1)!.fail(new Error("batch"));
      expect(await outcome).toBe(faults.get(name));
    },
  };
}
