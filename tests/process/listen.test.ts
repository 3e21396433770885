import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { createWorkspace } from "../../packages/server/src/testing/workspace.ts";
import { type Deployment, OPERATOR_KEY, startDeployment, type Worker } from "./deployment.ts";

// `waypost listen` beside gateways that come and go.

const WAYPOST = fileURLToPath(new URL("../../packages/cli/bin/waypost.js", import.meta.url));
const PATIENCE = { timeout: 60_000, interval: 50 };

let deployment: Deployment;
let first: Worker;
let receiver: Receiver;
beforeAll(async () => {
  deployment = await startDeployment();
  first = await deployment.serve({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });
  receiver = await startReceiver();
});
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await receiver.close();
  await deployment.stop();
});

function listen(key: string, ...options: string[]) {
  const args = [WAYPOST, "listen", "--forward-to", receiver.url, ...options];
  const env = { PATH: process.env["PATH"], WAYPOST_API_KEY: key, WAYPOST_BASE_URL: first.url };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => lines.push(line));
  return {
    lines,
    async end(): Promise<number | null> {
      child.kill("SIGTERM");
      return (await once(child, "exit"))[0];
    },
  };
}

const phonesOf = (of: Receiver): string[] => of.received.map(({ body }) => body.data.contact.phone);

it("forwards the events of its workspace as they are delivered, each once, over a restart of the gateway", async () => {
  const [mine, theirs] = [
    await createWorkspace(callAs(first.url, OPERATOR_KEY)),
    await createWorkspace(callAs(first.url, OPERATOR_KEY)),
  ];
  const create = async (by: Worker, key: string, phone: string): Promise<void> => {
    expect((await by.call(key, "POST", "/v1/contacts", { body: { phone } })).status).toBe(201);
  };
  const endpoint = await startReceiver();
  const body = { url: endpoint.url, events: ["contact_created"] };
  expect((await first.call(mine.key, "POST", "/v1/webhook-endpoints", { body })).status).toBe(201);
  await create(first, mine.key, "+15556660000");
  await endpoint.got(1);

  const { lines, end } = listen(mine.key, "--kinds", "contact_created,opted_out");
  await expect.poll(() => lines[0], PATIENCE).toMatch(/ go to http.*, signed with whsec_/);
  const secret = lines[0]?.split(" ").at(-1) ?? "";

  await create(first, theirs.key, "+15556669999");
  await create(first, mine.key, "+15556660001");
  await Promise.all([receiver.got(1), endpoint.got(2)]);
  const [forwarded, delivered] = [receiver.received[0]!, endpoint.received[1]!];
  expect(forwarded.text).toBe(delivered.text);
  expect(forwarded.headers["user-agent"]).toBe(delivered.headers["user-agent"]);
  const ours = (of: typeof forwarded) =>
    Object.keys(of.headers)
      .filter((name) => /^(x-|webhook|content-type)/.test(name))
      .toSorted();
  expect(ours(forwarded)).toEqual(ours(delivered));
  const verified = new Webhook(secret).verify(forwarded.text, forwarded.headers as Record<string, string>);
  expect(verified).toEqual(forwarded.body);

  // One gateway is killed; what another one does meanwhile is forwarded once the first is back.
  const second = await deployment.serve();
  await first.end("SIGKILL");
  await expect.poll(() => lines.join("\n"), PATIENCE).toContain("the gateway is away");
  const meanwhile = ["+15556660002", "+15556660003", "+15556660004"];
  for (const phone of meanwhile) await create(second, mine.key, phone);
  const again = await deployment.serve({ PORT: new URL(first.url).port });
  await receiver.got(4);
  await create(again, mine.key, "+15556660005");
  await receiver.got(5);
  expect(phonesOf(receiver)).toEqual(["+15556660001", ...meanwhile, "+15556660005"]);
  const taken = () => lines.filter((line) => /^contact_created evt_\w+ 200 \d+ ms$/.test(line)).length;
  await expect.poll(taken, PATIENCE).toBe(5);

  // What the receiver fails is tried again, with the same id, and does not stop the rest.
  receiver.answer((response) => response.writeHead(500).end());
  await create(again, mine.key, "+15556660006");
  await receiver.got(8);
  receiver.answer((response) => response.end());
  await create(again, mine.key, "+15556660007");
  await receiver.got(9);
  const attempts = receiver.received
    .slice(5)
    .map(({ headers }) => [headers["webhook-id"], headers["x-service-attempt"]]);
  expect(attempts.map(([, attempt]) => attempt)).toEqual(["1", "2", "3", "1"]);
  expect(new Set(attempts.map(([id]) => id)).size).toBe(2);
  await expect.poll(() => lines.filter((line) => / 500 \d+ ms$/.test(line)).length, PATIENCE).toBe(3);
  expect(await end()).toBe(0);
  await endpoint.close();
});
