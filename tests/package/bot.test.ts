import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { type Elsewhere, elsewhere, ROOT } from "./packed.ts";

// The sample of examples/bot with the packed SDK, by the commands of its page, between a gateway and the simulator.

const SAMPLE = join(ROOT, "examples/bot");
const [, starting = ""] = [...readFileSync(join(SAMPLE, "README.md"), "utf8").matchAll(/^```sh\n(.*?)\n```$/gms)].map(
  ([, block = ""]) => block,
);
const PATIENCE = { timeout: 60_000, interval: 50 };

let there: Elsewhere;
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let bot: ChildProcess;

beforeAll(async () => {
  [there, gateway] = await Promise.all([elsewhere(), startGateway()]);
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  for (const name of ["app.js", "package.json"]) await copyFile(join(SAMPLE, name), join(there.folder, name));
  await writeFile(join(there.folder, "dev.json"), JSON.stringify({ api_key: mine.key }));
  bot = await start();
});
afterAll(async () => {
  if (bot) await end(bot, "SIGKILL");
  await gateway?.stop();
  await there?.remove();
});

async function start(): Promise<ChildProcess> {
  const commands = starting
    .replaceAll("http://127.0.0.1:8080", gateway.url)
    .replace("data/dev.json", "dev.json")
    .replace("npm start --prefix examples/bot", "exec node app.js");
  const child = spawn("sh", ["-c", commands], { cwd: there.folder, env: { PATH: process.env["PATH"] } });
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  await vi.waitFor(() => expect(said).toContain("The bot listens"), PATIENCE);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  return await ended;
}

type Said = { type: string; text?: { body: string }; interactive?: { type: string } };

/** What a person was answered, the first answer first. */
async function answersTo({ call }: Sender, person: string): Promise<Said[]> {
  const { body } = await call("GET", `/v1/messages?limit=100&direction=outbound&to=%2B${person}`);
  return body.data.toReversed();
}

const expectAnswers = async (person: string, expected: object[]): Promise<void> =>
  vi.waitFor(async () => expect(await answersTo(mine, person)).toMatchObject(expected), PATIENCE);

function choose(person: string, id: string): void {
  gateway.simulator.inbound({
    phone_number_id: mine.account.providerPhoneNumberId,
    from: person,
    type: "interactive",
    interactive: { type: "button_reply", button_reply: { id, title: id } },
  });
}

const MENU = { type: "interactive", interactive: { type: "button" } };
const HOURS = { type: "text", text: { body: "We are open from 9 to 18, from Monday to Friday." } };
const PERSON = { type: "text", text: { body: "One of us will answer you here." } };

test("answers with buttons and what is chosen, and is silent to those who want a person", async () => {
  const [asking, leaving] = ["15551230051", "15551230052"];
  await mine.inbound(asking, "Hello");
  await mine.inbound(leaving, "Hello");
  await expectAnswers(asking, [MENU]);
  choose(asking, "hours");
  choose(leaving, "person");
  await expectAnswers(asking, [MENU, HOURS]);
  await expectAnswers(leaving, [MENU, PERSON]);
  await mine.inbound(leaving, "Are you there?");
  await mine.inbound(asking, "And tomorrow?");
  await expectAnswers(asking, [MENU, HOURS, MENU]);
  expect(await answersTo(mine, leaving)).toHaveLength(2);
});

test("answers once what came while it was away, and nothing of another workspace", async () => {
  const [person, other] = ["15551230053", "15551230054"];
  expect(await end(bot, "SIGTERM")).toBe(0);
  await mine.inbound(person, "Hello");
  await theirs.inbound(other, "Hello");
  bot = await start();
  await expectAnswers(person, [MENU]);
  await end(bot, "SIGKILL");
  bot = await start();
  choose(person, "hours");
  await expectAnswers(person, [MENU, HOURS]);
  expect(await answersTo(theirs, other)).toEqual([]);
});
