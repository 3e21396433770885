import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Simulator, startSimulator } from "@waypost/simulator";
import { Client } from "pg";
import { type Build, startBuiltGateway } from "../../bench/children.ts";
import type { Place } from "../../bench/place.ts";
import { SETTINGS } from "../../bench/settings.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { APP_SECRET, VERIFY_TOKEN } from "../../packages/server/src/testing/provider-account.ts";
import { connectAccount, createWorkspace } from "../../packages/server/src/testing/workspace.ts";
import { type Answer, Mask } from "./mask.ts";
import type { Asked, Caller } from "./requests.ts";

/** One build at work, with a database and a provider of its own. */
export type Side = {
  name: string;
  url: string;
  mask: Mask;
  simulator: Simulator;
  keys: Record<Caller, string | null>;
  /** Resolves when no message waits to be sent. */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

/** Each workspace's own, the same at both sides. */
const ACCOUNTS = [1, 2].map((n) => ({
  waba_id: `9000${n}`,
  name: `Shop ${n}`,
  business_id: `7000${n}`,
  token: `EAASIM9000${n}`,
  phone_numbers: [{ id: `6000${n}`, display_phone_number: `+1555900100${n}`, verified_name: `Shop ${n}` }],
  templates: [
    { name: "order_ready", text: "Your order is ready." },
    { name: "order_update", text: "Hi {{1}}, your order {{2}} is on its way." },
  ].map(({ name, text }) => ({ name, language: "en_US", category: "UTILITY", components: [{ type: "BODY", text }] })),
}));

/** What is under way; a message that waits for its time is not. */
const UNDER_WAY = `select (select count(*) from dispatch where state in (0, 1) and due <= now())
  + (select count(*) from ingest) + (select count(*) from task where due <= now())
  + (select count(*) from contact_import where status in ('pending', 'running')) as open`;
const SETTLES_WITHIN_MS = 3_000;

async function settled(client: Client): Promise<void> {
  const end = Date.now() + SETTLES_WITHIN_MS;
  while (Date.now() < end) {
    const { rows } = await client.query<{ open: string }>(UNDER_WAY);
    if (Number(rows[0]?.open) === 0) return;
    await sleep(5);
  }
}

export async function openSide(place: Place, build: Build): Promise<Side> {
  const simulator = await startSimulator({
    appSecret: APP_SECRET,
    verifyToken: VERIFY_TOKEN,
    seed: ACCOUNTS,
    randomSeed: 1,
    delays: { statuses: false },
  });
  const databaseUrl = await place.createDatabase(`waypost_differential_${build.name}`);
  const dataDir = mkdtempSync(join(tmpdir(), "waypost-differential-"));
  const gateway = await startBuiltGateway(
    {
      ...SETTINGS,
      PROVIDER_APP_SECRET: APP_SECRET,
      PROVIDER_VERIFY_TOKEN: VERIFY_TOKEN,
      DATABASE_URL: databaseUrl,
      PROVIDER_BASE_URL: simulator.url,
      TRUST_PROXY: "127.0.0.1",
      PUBLIC_URL: "https://gateway.example.com",
      WAYPOST_DATA_DIR: dataDir,
    },
    undefined,
    build,
  );
  const { url } = gateway;
  simulator.setCallbackUrl(`${url}/webhooks/receive`);
  const operator = SETTINGS.WAYPOST_OPERATOR_KEY;
  const [mine, theirs] = [await createWorkspace(callAs(url, operator)), await createWorkspace(callAs(url, operator))];
  for (const [index, { key }] of [mine, theirs].entries()) {
    const { waba_id, token } = ACCOUNTS[index] as (typeof ACCOUNTS)[number];
    await connectAccount(callAs(url, key), { wabaId: waba_id, token });
  }
  const reader = await callAs(url, mine.key)("POST", "/v1/api-keys", {
    body: { name: "reader", scopes: ["messages:read"] },
  });
  const client = new Client(databaseUrl);
  client.on("error", () => {}); // the next statement reports it
  await client.connect();
  const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
  const engine = rows[0]?.engine_role ?? "";
  await client.query(`grant "${engine}" to current_user; set role "${engine}"`);
  // The session keeps the role; a login that could take it would make the gateway unready.
  await withClient(databaseUrl, (owner) => owner.query(`revoke "${engine}" from current_user`));
  return {
    name: build.name,
    url,
    mask: new Mask(),
    simulator,
    keys: {
      mine: mine.key,
      theirs: theirs.key,
      reader: reader.body.key,
      operator,
      stranger: "wp_live_nonsense",
      keyless: null,
    },
    settled: () => settled(client),
    async stop() {
      await gateway.stop();
      await client.end();
      await simulator.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends the request as it is written, without the repairs of a client; a connection that ends without an answer has status 0. */
export async function answerOf(side: Side, asked: Asked): Promise<Answer> {
  const filled = (text: string): string =>
    text.replaceAll(
      /«(\w+) (\d+)»/g,
      (_all, prefix: string, place: string) => side.mask.ids(prefix)[Number(place) - 1] ?? `${prefix}_`,
    );
  const bearer = side.keys[asked.caller];
  const headers = {
    ...asked.headers,
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
  };
  const { hostname, port } = new URL(side.url);
  return await new Promise((resolve, reject) => {
    // A connection of its own: what an answer leaves unread is no beginning of the next request.
    const to = { hostname, port, method: asked.method, path: filled(asked.path), headers, agent: false as const };
    const sent = request(to, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const shown = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
        const body = Buffer.concat(chunks).toString("utf8").replaceAll(side.url, "<gateway>");
        resolve({ status: answer.statusCode ?? 0, headers: Object.fromEntries(shown), body });
      });
    });
    sent.on("error", (error) => resolve({ status: 0, headers: {}, body: (error as NodeJS.ErrnoException).code ?? "" }));
    sent.end(asked.body === null ? undefined : filled(asked.body));
  });
}
