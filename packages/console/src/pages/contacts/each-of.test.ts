import { ApiError } from "@waypost/sdk";
import { expect, test } from "vitest";
import { eachOf, type Run } from "./each-of.ts";

const refusal = (status: number, retryAfterSeconds: number | null): ApiError =>
  new ApiError({
    problem: {
      type: "/docs/errors/x",
      title: "No",
      status,
      detail: "No.",
      code: status === 429 ? "rate_limited" : "not_found",
      request_id: "req_1",
      retryable: status === 429,
    },
    retryAfterSeconds,
    requestId: "req_1",
    attempts: 1,
  });

test("goes on after one that fails, and says which", async () => {
  const gone = refusal(404, null);
  const runs: Run<string>[] = [];
  const change = (item: string): Promise<void> => (item === "b" ? Promise.reject(gone) : Promise.resolve());
  await eachOf(["a", "b", "c"], change, (run) => runs.push(run));
  expect(runs.map(({ done }) => done)).toEqual([0, 1, 2, 3]);
  expect(runs.at(-1)).toEqual({ done: 3, all: 3, failures: [{ item: "b", error: gone }], fault: null, hasEnded: true });
});

test("asks no more for what would be refused of every one", async () => {
  const fault = refusal(403, null);
  const asked: string[] = [];
  let last: Run<string> | undefined;
  const change = (item: string): Promise<void> => (asked.push(item) > 1 ? Promise.reject(fault) : Promise.resolve());
  await eachOf(["a", "b", "c"], change, (run) => (last = run));
  expect([asked, last]).toEqual([["a", "b"], { done: 1, all: 3, failures: [], fault, hasEnded: true }]);
});

test("waits where it is said to, and not for ever", async () => {
  const waited: number[] = [];
  let refusals = 2;
  let last: Run<string> | undefined;
  const wait = async (seconds: number): Promise<void> => void waited.push(seconds);
  const change = async (item: string): Promise<void> => {
    if (item === "always" || refusals-- > 0) throw refusal(429, 2);
  };
  await eachOf(["sometimes", "always"], change, (run) => (last = run), wait);
  expect(waited).toEqual([2, 2, 2, 2, 2]);
  expect(last?.failures.map(({ item }) => item)).toEqual(["always"]);
  await eachOf(
    ["late"],
    () => Promise.reject(refusal(429, 600)),
    (run) => (last = run),
    wait,
  );
  expect([waited.length, last?.failures.length]).toEqual([5, 1]);
});
