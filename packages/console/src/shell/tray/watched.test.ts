import { expect, test } from "vitest";
import { ofImport, ofReplay, ofSignup } from "./watched.ts";

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
