import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";

function lineOf(fields: object): string {
  let line = "";
  createLog("info", { write: (text) => void (line += text) }).info(fields, "words");
  return line;
}

const SECRET = "my code is 4711";

/** As the driver makes it: what it says, its detail and its context quote the row. */
const databaseError = Object.assign(new Error(`invalid input syntax for type json: "${SECRET}"`), {
  code: "22P02",
  detail: `Failing row contains (${SECRET}).`,
  where: `PL/pgSQL function accept_messages line 3: ${SECRET}`,
});

test.each([
  ["a database's error", databaseError],
  ["one that is the cause of another", new Error("storing failed", { cause: databaseError })],
  ["a parser's error", parserError()],
])("%s leaves no row and no value in a line", (_name, err) => {
  expect(`${err.message} ${String(err.cause)}`).toContain("4711");
  const line = lineOf({ err });
  expect(line).not.toContain("4711");
  expect(JSON.parse(line).err.at.join()).toContain("log.test.ts");
});

test("an error keeps what finds it: name, words of ours, state, place, cause", () => {
  const { err } = JSON.parse(lineOf({ err: new Error("storing failed", { cause: databaseError }) }));
  expect(err).toMatchObject({ name: "Error", message: "storing failed", cause: { name: "Error", state: "22P02" } });
});

test("names of secrets are hidden", () => {
  const { authorization, body } = JSON.parse(lineOf({ authorization: "Bearer x", body: "Hello" }));
  expect([authorization, body]).toEqual(["[hidden]", "[hidden]"]);
});

test("what was said last is written before the process ends", () => {
  const script = `import { createLog } from ${JSON.stringify(fileURLToPath(new URL("log.ts", import.meta.url)))};
createLog("info").info({}, "last words");
process.exit(3);`;
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  expect([status, stdout]).toEqual([3, expect.stringContaining("last words")]);
});

function parserError(): Error {
  try {
    JSON.parse(SECRET);
  } catch (error) {
    return error as Error;
  }
  throw new Error("it parsed");
}
