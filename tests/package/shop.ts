import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { webhookTestHeaders } from "@waypost/sdk";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { output, ROOT } from "./packed.ts";

// The samples of examples/ do the same: each is run by the commands of its page, between a gateway and the simulator.

const PATIENCE = { timeout: 60_000, interval: 50 };

export type Sample = {
  /** The folder of its page. */
  page: string;
  /** The last command of the page's second block, which starts it. */
  start: string;
  /** Installs it with the packed SDK; `command` starts it there. */
  install(): Promise<{ folder: string; command: string; remove(): Promise<void> }>;
};

type Shop = { url: string; secret: string; process: ChildProcess };

export function testShop(sample: Sample): void {
  const [, starting = "", calling = ""] = blocksOf(sample.page);
  let there: Awaited<ReturnType<Sample["install"]>>;
  let gateway: Gateway;
  let mine: Sender;
  let theirs: Sender;
  let shop: Shop;

  beforeAll(async () => {
    [there, gateway] = await Promise.all([sample.install(), startGateway()]);
    [mine, theirs] = [await gateway.sender(), await gateway.sender()];
    gateway.simulator.setDelays({ statuses: true, sentMs: 0, deliveredMs: 0, readMs: null });
    await writeFile(join(there.folder, "dev.json"), JSON.stringify({ api_key: mine.key }));
    shop = await start();
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => shop?.process.once("exit", resolve));
    shop?.process.kill();
    if (shop) await ended;
    await gateway?.stop();
    await there?.remove();
  });

  const moved = (commands: string, port: number): string =>
    commands
      .replaceAll("http://127.0.0.1:3000", `http://127.0.0.1:${port}`)
      .replaceAll("http://127.0.0.1:8080", gateway.url)
      .replaceAll("curl ", "curl -sS ")
      .replace("data/dev.json", "dev.json")
      .replace(sample.start, `echo "secret $WAYPOST_WEBHOOK_SECRET"\nexec ${there.command}`);

  async function start(): Promise<Shop> {
    const port = await freePort();
    const child = spawn("sh", ["-c", `export PORT=${port}\n${moved(starting, port)}`], {
      cwd: there.folder,
      env: { PATH: process.env["PATH"] },
    });
    let said = "";
    child.stdout.on("data", (text: Buffer) => (said += text.toString()));
    child.stderr.on("data", (text: Buffer) => (said += text.toString()));
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => expect(said).toContain(`The shop is at ${url}`), PATIENCE);
    // It may say so just before it listens.
    await vi.waitFor(() => fetch(url), PATIENCE);
    const [, secret = ""] = /^secret (\S+)$/m.exec(said) ?? [];
    return { url, secret, process: child };
  }

  const run = (command: string): Promise<string> => output(there.folder, "sh", ["-c", command]);

  test("says that an order is ready, once, and knows what became of it", async () => {
    const commands = moved(calling, Number(new URL(shop.url).port)).split("\n");
    expect(commands).toHaveLength(2);
    const [ready = "", look = ""] = commands;
    const said = await run(ready);
    expect(JSON.parse(said)).toEqual({ message: expect.stringMatching(/^msg_/) });
    expect(await run(ready)).toBe(said);
    expect(await messagesOf(mine, "direction=outbound&to=%2B15551230001")).toMatchObject([{ reference: "17" }]);
    await vi.waitFor(async () => expect(JSON.parse(await run(look))).toEqual({ status: "delivered" }), PATIENCE);
    expect((await fetch(`${shop.url}/orders/18`)).status).toBe(404);
  });

  test("passes on what the gateway refuses, and refuses what is no order", async () => {
    const post = async (id: string, body: unknown) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${shop.url}/orders/${id}/ready`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    expect(await post("20", { phone: "no number" })).toMatchObject({
      status: 422,
      body: { code: "invalid_phone_number" },
    });
    expect([400, 422]).toContain((await post("a%20b", { phone: "+15551230001" })).status);
    expect([400, 422]).toContain((await post("21", {})).status);
  });

  test("answers a person who writes, once, however often the event comes", async () => {
    const { id } = await mine.inbound("15551230042", "Is it ready?");
    const answers = () => messagesOf(mine, "direction=outbound&to=%2B15551230042");
    await vi.waitFor(async () => expect(await answers()).toMatchObject([{ reply_to: id }]), PATIENCE);
    await vi.waitFor(async () => expect((await delivery(mine)).status).toBe("succeeded"), PATIENCE);
    expect((await mine.call("POST", `/v1/deliveries/${(await delivery(mine)).id}/retry`)).status).toBeLessThan(300);
    await vi.waitFor(
      async () => expect((await delivery(mine)).attempts.map(({ status_code }) => status_code)).toEqual([204, 204]),
      PATIENCE,
    );
    expect(await answers()).toHaveLength(1);
  });

  test("takes what it can do nothing with, so that it does not come again", async () => {
    const about = {
      id: "evt_00000000000000000000000001",
      workspace_id: mine.id,
      created_at: "2026-01-31T09:31:07.000Z",
    };
    const bodies = [
      { ...about, kind: "messages", category: "inbound_message", sequence: 1, data: { message: null, contact: null } },
      { ...about, kind: "delivered", category: "message_status", sequence: 2, data: { message: null } },
      { ...about, kind: "a_kind_of_later", category: "of_later", sequence: 3, data: {} },
    ].map((event) => JSON.stringify(event));
    for (const body of bodies) {
      const headers = await webhookTestHeaders(body, shop.secret);
      expect((await fetch(`${shop.url}/hooks`, { method: "POST", headers, body })).status).toBe(204);
    }
  });

  test("takes nothing that is signed by another workspace, or by none", async () => {
    await theirs.call("POST", "/v1/webhook-endpoints", { body: { url: `${shop.url}/hooks`, events: ["messages"] } });
    await theirs.inbound("15551230043", "Hello");
    await vi.waitFor(async () => expect((await delivery(theirs)).attempts[0]?.status_code).toBe(401), PATIENCE);
    expect(await messagesOf(theirs, "direction=outbound")).toEqual([]);
    expect(await messagesOf(mine, "direction=outbound&to=%2B15551230043")).toEqual([]);
    expect((await fetch(`${shop.url}/hooks`, { method: "POST", body: "{}" })).status).toBe(401);
  });
}

/** The commands of a page, block by block. */
const blocksOf = (page: string): string[] =>
  [...readFileSync(join(ROOT, page, "README.md"), "utf8").matchAll(/^```sh\n(.*?)\n```$/gms)].map(
    ([, block = ""]) => block,
  );

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const messagesOf = async ({ call }: Sender, query: string) =>
  (await call("GET", `/v1/messages?limit=100&${query}`)).body.data as {
    id: string;
    reply_to: string;
    reference: string;
  }[];

/** The latest delivery of what a person wrote, with its attempts. */
async function delivery({
  call,
}: Sender): Promise<{ id: string; status: string; attempts: { status_code: number }[] }> {
  const { body } = await call("GET", "/v1/deliveries?kind=messages");
  expect(body.data).not.toEqual([]);
  return (await call("GET", `/v1/deliveries/${body.data[0].id}`)).body;
}
