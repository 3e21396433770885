import { expect, test } from "vitest";
import { manualClock } from "../testing/clock.ts";
import { createLog } from "./log.ts";
import { QuietLog } from "./quiet-log.ts";

function quietly() {
  const clock = manualClock();
  const lines: object[] = [];
  const log = createLog("info", { to: { write: (text) => void lines.push(JSON.parse(text)) } });
  return { clock, lines, quiet: new QuietLog(log, clock) };
}

test("the first line is written at once, further ones once a second with the number of lines left out", async () => {
  const { clock, lines, quiet } = quietly();
  for (let row = 1; row <= 500; row += 1) quiet.warn("store", { row }, "storing failed");
  expect(lines).toEqual([expect.objectContaining({ level: 40, row: 1, msg: "storing failed" })]);
  await clock.pass(1_000);
  for (let row = 501; row <= 503; row += 1) quiet.warn("store", { row }, "storing failed");
  await clock.pass(1_000);
  expect(lines.slice(1)).toEqual([
    expect.objectContaining({ row: 500, left_out: 498 }),
    expect.objectContaining({ row: 503, left_out: 2 }),
  ]);
});

test("a lone line is written as it is, and no line follows", async () => {
  const { clock, lines, quiet } = quietly();
  quiet.error("gone", { row: 1 }, "it is gone");
  await clock.pass(10_000);
  quiet.error("gone", { row: 2 }, "it is gone");
  expect(lines).toEqual([
    expect.objectContaining({ level: 50, row: 1 }),
    expect.objectContaining({ level: 50, row: 2 }),
  ]);
  for (const line of lines) expect(line).not.toHaveProperty("left_out");
});

test("lines of different keys do not hold back each other", () => {
  const { lines, quiet } = quietly();
  quiet.warn("one", {}, "one");
  quiet.warn("two", {}, "two");
  expect(lines).toMatchObject([{ msg: "one" }, { msg: "two" }]);
});
