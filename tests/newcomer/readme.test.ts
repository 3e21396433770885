import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../packages/server/src/testing/database.ts";
import { gone, type House, makeDataDir, npmStart, ROOT, readDevFile, removeDataDir } from "./npm-start.ts";

const run = promisify(execFile);
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const [twoCommands = "", sending = "", production = ""] = blocksOf(README);
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe("the README", () => {
  it("names two commands, and the first brings a newcomer to a message", async () => {
    const commands = twoCommands.split("\n").map((line) => line.split("#")[0]?.trim());
    expect(commands).toEqual(["npm start", "npm test"]);
    const dataDir = await makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const house = keep(npmStart({ dataDir, command: ["sh", "-c", "npm start"] }));
    await house.up;

    const dev = await readDevFile(dataDir);
    const command = sending
      .replace("data/dev.json", join(dataDir, "dev.json"))
      .replace("http://127.0.0.1:8080", dev.base_url);
    const { stdout } = await run("sh", ["-c", command.replace("curl ", "curl -sS ")]);
    const sent = JSON.parse(stdout) as { id: string };
    expect(sent.id).toMatch(/^msg_/);
    const statusNow = async (): Promise<unknown> => {
      const headers = { authorization: `Bearer ${dev.api_key}` };
      const reply = await fetch(`${dev.base_url}/v1/messages`, { headers });
      const { data } = (await reply.json()) as { data: { id: string; status: string }[] };
      return data.find(({ id }) => id === sent.id)?.status;
    };
    await expect.poll(statusNow, { timeout: 20_000 }).toBe("read");

    const all = await house.processes();
    process.kill(-house.pid, "SIGINT");
    // npm and its shell die of the signal, as programs do, but not before what they run has stopped in order.
    expect([0, 130, "SIGINT"]).toContain(await house.ended);
    expect(house.output()).toContain("Everything has stopped.");
    expect(await gone(all)).toEqual([]);
  }, 60_000);

  it("has a second command: `npm test`", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(scripts["test"]).toBe("exec node scripts/test.mjs");
    expect(existsSync(join(ROOT, "scripts/test.mjs"))).toBe(true);
  });

  it("serves with the lines that it gives for production", async () => {
    const database = await testDatabase();
    cleanups.push(() => database.drop());
    expect(production.split("\n")).toHaveLength(5);
    const script = production.replace(/DATABASE_URL='[^']*'/, `DATABASE_URL='${database.url}'`);
    expect(script).toContain(database.url);
    const dataDir = await makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const house = keep(npmStart({ dataDir, command: ["sh", "-c", script] }));
    await house.said("waypost is up");

    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(house.output()) ?? [];
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: "ready" });
    const all = await house.processes();
    process.kill(-house.pid, "SIGTERM");
    expect(await gone(all)).toEqual([]);
  }, 60_000);
});

function blocksOf(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block ?? "");
}

function keep(house: House): House {
  cleanups.push(async () => {
    const left = await house.processes();
    for (const pid of left) process.kill(pid, "SIGKILL");
    await gone(left);
  });
  return house;
}
