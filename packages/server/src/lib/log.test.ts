import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { formatId } from "./ids.ts";
import { createLog } from "./log.ts";

const IDS = { ws: "workspace", msg: "message", evt: "event" } as const;

function lineOf(fields: object): string {
  let line = "";
  createLog("info", { ids: IDS, to: { write: (text) => void (line += text) } }).info(fields, "words");
  return line;
}

const SECRET = "my code is 4711";

/** As the driver creates it: message, detail and context quote the row. */
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

test("an error keeps what locates it: name, a message of the gateway, state, place, cause", () => {
  const { err } = JSON.parse(lineOf({ err: new Error("storing failed", { cause: databaseError }) }));
  expect(err).toMatchObject({ name: "Error", message: "storing failed", cause: { name: "Error", state: "22P02" } });
});

describe("ids of resources", () => {
  const uuid = "01934a5e-7c00-7000-8000-00000000000a";

  test("a uuid is logged as the public id of the noun that its field names", () => {
    const { workspace_id, message_id } = JSON.parse(lineOf({ workspace_id: uuid, message_id: uuid }));
    expect([workspace_id, message_id]).toEqual([formatId("ws", uuid), formatId("msg", uuid)]);
  });

  test("a list of them is logged as a list of public ids", () => {
    const { message_ids } = JSON.parse(lineOf({ message_ids: [uuid, uuid] }));
    expect(message_ids).toEqual([formatId("msg", uuid), formatId("msg", uuid)]);
  });

  test("a public id and every other value pass unchanged", () => {
    const message_id = formatId("msg", uuid);
    expect(JSON.parse(lineOf({ message_id, workspace_id: null, event_id: "none", request_id: uuid }))).toMatchObject({
      message_id,
      workspace_id: null,
      event_id: "none",
      request_id: uuid,
    });
    expect(JSON.parse(lineOf({ event_id: undefined }))).not.toHaveProperty("event_id");
  });

  test("a child's own fields are converted too", () => {
    let line = "";
    const log = createLog("info", { ids: IDS, to: { write: (text) => void (line += text) } });
    log.child({ workspace_id: uuid }).info({}, "words");
    expect(JSON.parse(line).workspace_id).toBe(formatId("ws", uuid));
  });
});

test("names of secrets are hidden", () => {
  const { authorization, body } = JSON.parse(lineOf({ authorization: "Bearer x", body: "Hello" }));
  expect([authorization, body]).toEqual(["[hidden]", "[hidden]"]);
});

test("the last lines are written before the process ends", () => {
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

test("a process that goes on running writes all of its lines, also where its reader falls behind", async () => {
  const script = `import { createLog } from ${JSON.stringify(fileURLToPath(new URL("log.ts", import.meta.url)))};
const log = createLog("info");
for (let n = 0; n < 5_000; n++) log.info({ n }, "words".repeat(20));
setTimeout(() => log.info({ n: 5_000 }, "last words"), 300);
setInterval(() => {}, 60_000);`;
  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", script],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    let text = "";
    child.stdout.on("data", (bytes: Buffer) => {
      // More than a pipe has room for waits in the process meanwhile.
      if (text === "") {
        child.stdout.pause();
        setTimeout(() => child.stdout.resume(), 500);
      }
      text += String(bytes);
    });
    await expect.poll(() => text.split("\n").length, { timeout: 20_000 }).toBe(5_002);
    expect(text).toContain("last words");
  } finally {
    child.kill("SIGKILL");
  }
});

function parserError(): Error {
  try {
    JSON.parse(SECRET);
  } catch (error) {
    return error as Error;
  }
  throw new Error("it parsed");
}
