import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";
import { openStage, type Stage, type Visitor } from "./stage.ts";

// What a person does to many contacts at once, and what became of rows of a file.
let stage: Stage;
let mine: Sender;
let visitor: Visitor;

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.sender();
});
afterAll(() => stage?.stop());
beforeEach(async () => {
  visitor = await stage.open();
  return async () => {
    await visitor.context.close();
    expect(visitor.faults).toEqual([]);
  };
});

test("the refused rows of an import are one file, in which nothing is a formula", async () => {
  const { page } = visitor;
  const rows = Array.from({ length: 120 }, (_, n) => `+1555201${String(n).padStart(4, "0")},not a language`);
  const mapping = encodeURIComponent(JSON.stringify({ "=Lang": "locale" }));
  const { body } = await mine.call("POST", `/v1/contacts/imports?mapping=${mapping}`, {
    body: ["phone,=Lang", ...rows].join("\n"),
    headers: { "content-type": "text/csv" },
  });
  await vi.waitFor(async () => {
    const { status } = (await mine.call("GET", `/v1/contacts/imports/${body.id}`)).body;
    if (status !== "completed") throw new Error(`the import is ${status}`);
  }, PATIENCE);
  await visitor.signIn(mine.key, `/contacts/imports/${body.id}`);
  const arrives = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const download = await arrives;
  expect(download.suggestedFilename()).toBe(`${body.id}-refused-rows.csv`);
  const lines = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect([lines.length, lines[0]]).toEqual([121, "row,line,column,code,detail"]);
  const { data } = (await mine.call("GET", `/v1/contacts/imports/${body.id}/errors?limit=1`)).body;
  const [{ code, detail }] = data;
  expect(lines.at(-1)).toBe(`120,121,'=Lang,${code},${/[",]/.test(detail) ? JSON.stringify(detail) : detail}`);
});
