import { ApiError } from "@waypost/sdk";
import { expect, test } from "vitest";
import { isFinal, ofImport, ofReplay, ofSignup, tallyOf } from "./watched.ts";

const counts = { rows: 40, created: 30, updated: 5, failed: 5 };
const import_ = (status: "pending" | "running" | "canceled", bytes: number, total = 200) =>
  ofImport({ status, progress: { ...counts, bytes, total_bytes: total } });

test("an import is as far as its file is read, and one that was canceled has ended", () => {
  expect(import_("running", 50)).toMatchObject({ part: 0.25, hasEnded: false });
  expect(import_("pending", 0, 0)).toMatchObject({ part: 0, hasEnded: false });
  expect(import_("canceled", 50)).toMatchObject({ status: "canceled", hasEnded: true });
});

test("events that are counted have no known end; those that are sent again are as far as they were answered", () => {
  const progress = { matched: 8, scheduled: 4, succeeded: 1, failed: 1 };
  expect(ofReplay({ status: "running", dry_run: true, progress })).toMatchObject({ part: null, hasEnded: false });
  expect(ofReplay({ status: "completed", dry_run: true, progress })).toMatchObject({ part: 1, hasEnded: true });
  expect(ofReplay({ status: "running", dry_run: false, progress })).toMatchObject({ part: 0.25, hasEnded: false });
});

test("a signup is as far as its steps are", () => {
  const step = (status: "done" | "pending") => ({ name: "register", status, detail: null, error: null }) as never;
  const steps = [step("done"), step("pending")];
  expect(ofSignup({ status: "running", steps })).toMatchObject({ part: 0.5, hasEnded: false });
  expect(ofSignup({ status: "failed", steps })).toMatchObject({ part: 0.5, hasEnded: true });
});

test("what has failed is counted apart from what is done, and what has not answered yet runs", () => {
  const work = (status: string, hasEnded: boolean) => ({ status, hasEnded });
  const works = [work("failed", true), work("canceled", true), work("completed", true), work("running", false)];
  expect(tallyOf([...works, undefined])).toEqual({ running: 2, failed: 1, done: 2 });
});

test("what a key may not see, or is no more, is asked for once; an end of the session, a limit and a failure are none of these", () => {
  const refusal = (status: number, retryable: boolean) =>
    new ApiError({
      problem: {
        type: "about:blank",
        title: "",
        status,
        code: "x",
        detail: "",
        request_id: "req_1",
        retryable,
      } as never,
      retryAfterSeconds: null,
      requestId: null,
      attempts: 1,
    });
  const isAsked = [
    refusal(403, false),
    refusal(404, false),
    refusal(401, false),
    refusal(429, true),
    refusal(500, false),
  ];
  expect(isAsked.map(isFinal)).toEqual([true, true, false, false, false]);
  expect(isFinal(new Error("no answer"))).toBe(false);
});
