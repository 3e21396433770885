import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatId } from "../../lib/ids.ts";
import { createLog, type Log } from "../../lib/log.ts";
import { callbackOf, postCallback, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { goldenTexts } from "./testing/golden-texts.ts";
import { brokenBytes, changedText } from "./testing/mutations.ts";

/** Other callbacks on every run; to repeat a failure, write the seed of its title here. */
const SEED = Date.now() % 1_000_000_000;
const PATIENCE = { timeout: 60_000, interval: 50 };
/** Posts at the same time, as the provider's are. */
const AT_ONCE = 8;

const errors: unknown[] = [];
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  const silent = createLog("silent");
  const log: Log = { ...silent, error: (fields, text) => void errors.push([text, fields]), child: () => log };
  gateway = await startGateway({ API_RATE_LIMIT: "off" }, { log });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const sql = <Row extends object>(text: string) => gateway.app.db.sql.query<Row>(text);

async function postAll(bodies: readonly (string | Uint8Array)[]): Promise<void> {
  const left = [...bodies];
  const post = async (): Promise<void> => {
    for (let body = left.pop(); body !== undefined; body = left.pop())
      expect([SEED, (await postCallback(gateway, body)).status]).toEqual([SEED, 200]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, post));
}

function count(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

async function expectListed(path: string): Promise<void> {
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await mine.call("GET", `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
    expect([SEED, path, status]).toEqual([SEED, path, 200]);
    cursor = body.next_cursor;
  }
}

async function everythingListed(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await gateway.operator("GET", `/admin/v1/quarantine?limit=100${cursor && `&cursor=${cursor}`}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return ids;
}

it(`takes whatever is signed, keeps it, and lists what it set aside (seed ${SEED})`, async () => {
  const texts = [...goldenTexts(mine.account).values()];
  const sample = <T>(of: fc.Arbitrary<T>, count: number): T[] => fc.sample(of, { numRuns: count, seed: SEED });
  const bodies: Buffer[] = [
    ...texts,
    ...sample(changedText(texts), 300),
    ...sample(fc.json(), 40),
    ...sample(brokenBytes(texts), 80),
    ...sample(fc.uint8Array({ maxLength: 200 }), 30),
  ].map((body) => Buffer.from(body));
  await postAll(bodies);

  // All are there byte for byte, and none waits.
  const stored = await sql<{ body: Buffer }>("select body from callback");
  const sorted = (list: readonly Buffer[]) => list.map((body) => body.toString("base64")).toSorted();
  expect(sorted(stored.map(({ body }) => body))).toEqual(sorted(bodies));
  await expect.poll(() => sql("select callback_id, attempt from ingest"), PATIENCE).toEqual([]);

  // What was not understood waits in quarantine, once each, and the operator sees all of it. The database refused nothing.
  const setAside = await sql<{ id: string; reason: string; detail: string | null }>(
    "select id, reason, detail from quarantine where replayed_at is null order by id desc",
  );
  expect(setAside.filter(({ reason }) => reason === "failed")).toEqual([]);
  const ownReasons = setAside.map(({ reason }) => reason).filter((reason) => !UNDERSTOOD.has(reason));
  expect(count(ownReasons)).toEqual(count(bodies.flatMap(notUnderstood)));
  expect(await everythingListed()).toEqual(setAside.map(({ id }) => formatId("qrn", id)));
  // What was taken is returned, whatever it says.
  for (const path of ["messages", "conversations", "contacts"]) await expectListed(`/v1/${path}`);
  expect(errors).toEqual([]);

  for (const of of [mine, theirs]) await takesOneMore(of);
});

/** Reasons why a change that was understood is set aside. */
const UNDERSTOOD: ReadonlySet<string> = new Set(["unowned", "status of an inbound message"]);

function notUnderstood(body: Buffer): string[] {
  const { json, changes } = gateway.app.provider.parseCallback(body);
  return json ? changes.flatMap((one) => (one.kind === "unrecognized" ? [one.reason] : [])) : ["not_json"];
}

async function takesOneMore(of: Sender): Promise<void> {
  const id = `wamid.AFTER-${of.phoneNumberId}`;
  await postAll([JSON.stringify(callbackOf(of.account, textFrom("15557009999", id, "Hi", gateway.clock.now())))]);
  const found = () => of.rows("select 1 from message_state where provider_message_id = $1", [id]);
  await expect.poll(async () => (await found()).length, PATIENCE).toBe(1);
}

it("takes nothing that is not signed", async () => {
  const [before] = await sql<{ n: number }>("select count(*)::int as n from callback");
  const texts = [...goldenTexts(mine.account).values()];
  for (const body of fc.sample(fc.oneof(changedText(texts), fc.json()), { numRuns: 40, seed: SEED }))
    for (const signature of [null, "", "sha256=", `sha256=${"0".repeat(64)}`])
      expect((await postCallback(gateway, body, signature)).status).toBe(401);
  expect(await sql<{ n: number }>("select count(*)::int as n from callback")).toEqual([before]);
});
