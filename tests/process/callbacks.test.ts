import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { formatId, parseId } from "../../packages/server/src/lib/ids.ts";
import { signatureOf } from "../../packages/server/src/testing/callback.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { testEngine } from "../../packages/server/src/testing/engine.ts";
import { sized } from "../../packages/server/src/testing/size.ts";
import { type Corpus, corpusOf, ECHOES } from "./callback-corpus.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { inParallel, messagesOf } from "./posting.ts";

const CALLBACKS = sized(600, 5_000);
/** With these there are as many, and some more. */
const SIZE = sized(
  { sent: 100, people: 40, written: 280, templates: 10 },
  { sent: 700, people: 200, written: 3_450, templates: 10 },
);
const CONNECTIONS = 16;
const REPEAT_MS = 100;
/** What waits at a number of a killed process is read when its lease has lapsed. */
const APPLIED_WITHIN_MS = sized(60_000, 300_000);

/** Callbacks in the queue, and what follows from some, as the engine sees them: statuses whose message another process was just storing, too. */
const WORK = `select from ingest union all select from task where due <= now() union all select from contact_evidence
  union all select from parked_status join provider_message using (workspace_id, provider_message_id)`;
/** Of a workspace: the reading of a template may be put off, as when its process is killed, and the event waits for it. */
const NEWS = "select from provider_notice where event_due is not null and not found";

let deployment: Deployment;
let first: Worker;
beforeAll(async () => {
  deployment = await startDeployment();
  first = await deployment.serve();
});
afterAll(() => deployment.stop());

test("the same callbacks in order, shuffled, three times each, and beside kills give the same state and the same events", {
  timeout: sized(400_000, 1_800_000),
}, async () => {
  const inOrder = await after(async ({ callbacks }) => {
    const numbers = new Set(callbacks.map(({ number }) => number));
    expect(callbacks.length).toBeGreaterThanOrEqual(CALLBACKS);
    await inParallel([...numbers], numbers.size, async (number) => {
      for (const one of callbacks) if (one.number === number) await deliver(() => first, one.body);
    });
  });
  expect(inOrder.messages).toHaveLength(SIZE.sent + SIZE.written + ECHOES);

  const anyOrder = await after(({ callbacks }) => deliverAll(() => first, shuffled(callbacks)));
  expect(differences(inOrder, anyOrder)).toEqual([]);

  const thrice = await after(({ callbacks }) =>
    deliverAll(() => first, shuffled([...callbacks, ...callbacks, ...callbacks])),
  );
  expect(differences(inOrder, thrice)).toEqual([]);

  const withKills = await after(async ({ callbacks }) => {
    const living = [first, await deployment.serve()];
    let posted = 0;
    const any = (): Worker => living[(posted += 1) % living.length]!;
    const quarter = Math.ceil(callbacks.length / 4);
    const all = shuffled(callbacks);
    for (let part = 0; part < 4; part += 1) {
      const posting = deliverAll(any, all.slice(part * quarter, (part + 1) * quarter));
      const killed = part % 2 === 1 ? living.shift() : undefined;
      if (killed) {
        while (posted < (part + 0.5) * quarter) await new Promise((resolve) => setTimeout(resolve, 5));
        await killed.end("SIGKILL");
        living.push(await deployment.serve());
      }
      await posting;
    }
    first = living[0]!;
  });
  expect(differences(inOrder, withKills)).toEqual([]);
});

function shuffled<Item>(items: readonly Item[]): Item[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}

/** A workspace of its own gets what `deliver` delivers; what has become of it by then. */
async function after(deliverThem: (corpus: Corpus) => Promise<unknown>): Promise<Outcome> {
  const workspace = await deployment.connect(first, 2);
  const corpus = await corpusOf(deployment, first, workspace, SIZE);
  const before = new Set((await setAside()).keys());
  await deliverThem(corpus);
  const isApplied = async () =>
    expect([
      ...(await testEngine(deployment.database.url).rows(WORK)),
      ...(await deployment.rows(workspace, NEWS)),
    ]).toEqual([]);
  await vi.waitFor(isApplied, { timeout: APPLIED_WITHIN_MS, interval: 200 });
  return await outcomeOf(workspace, corpus, before);
}

async function deliverAll(to: () => Worker, callbacks: readonly { body: string }[]): Promise<void> {
  await inParallel(callbacks, CONNECTIONS, ({ body }) => deliver(to, body));
}

/** Until it is answered 200, as the provider does. */
async function deliver(to: () => Worker, body: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${to().url}/webhooks/receive`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-hub-signature-256": signatureOf(body, "app-secret") },
      body,
    }).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
  }
}

/** All sorted, with names in place of ids, and without the times of this gateway. */
type Outcome = Record<"messages" | "contacts" | "media" | "templates" | "events" | "setAside", string[]>;
type Row = Record<string, unknown>;

async function outcomeOf(of: Workspace, { names }: Corpus, before: ReadonlySet<string>): Promise<Outcome> {
  const messages: Row[] = [];
  for await (const message of messagesOf(first, of)) messages.push(message);
  for (const { id, direction, provider_message_id: wamid } of messages)
    if (direction === "inbound") names.set(id as string, `received ${names.get(wamid as string)}`);
    else if (!names.has(id as string)) names.set(id as string, `message of ${names.get(wamid as string)}`);
  for (const { type, provider_message_id: wamid, [type as string]: content } of messages) {
    const id = (content as { id?: unknown } | undefined)?.id;
    if (typeof id === "string" && id.startsWith("med_")) names.set(id, `file of ${names.get(wamid as string)}`);
  }
  const contacts = await all(of, "/v1/contacts");
  for (const { id } of await all(of, "/v1/templates"))
    names.set(parseId("tpl", id as string)!, names.get(id as string)!);
  for (const { id, phone } of contacts) names.set(id as string, `contact ${names.get(String(phone)) ?? String(phone)}`);
  const named = (values: readonly Row[]): string[] => values.map((value) => nameIds(value, names)).toSorted();
  const put = [...(await setAside())].filter(([id]) => !before.has(id)).map(([, one]) => one);
  return {
    messages: named(messages),
    contacts: named(contacts),
    // Whether they could be fetched by now differs.
    media: named((await all(of, "/v1/media")).map(({ id, type, message_id }) => ({ id, type, message_id }))),
    templates: named(await all(of, "/v1/templates")),
    events: named(await eventsOf(of)),
    // A callback that comes three times is set aside three times.
    setAside: [...new Set(named(put))],
  };
}

/** Kind and subject of each event, and what it says beside the resource as it was at that moment. */
async function eventsOf(of: Workspace): Promise<Row[]> {
  const rows = await deployment.rows<{ kind: string; message: string; contact: string; resource: string; state: Row }>(
    of,
    `select kind, message_id as message, contact_id as contact, resource_id as resource, state from event
     where kind not in ('accepted', 'media_available', 'media_failed')`,
  );
  return rows.map(({ kind, message, contact, resource, state }) => ({
    kind,
    about: message ? formatId("msg", message) : contact ? formatId("con", contact) : resource,
    said: SAYS.map((name) => state?.[name] ?? null),
  }));
}
const SAYS = [
  "previous_status",
  "reason",
  "previous",
  "current",
  "effective_at",
  "provider_event",
  "source",
  "changed",
];

/** The first of each kind. */
function differences(one: Outcome, other: Outcome): string[] {
  return (Object.keys(one) as (keyof Outcome)[]).flatMap((kind) => {
    const [missing, added] = [without(one[kind], other[kind]), without(other[kind], one[kind])];
    return [
      ...missing.slice(0, 3).map((text) => `missing of ${kind}: ${text}`),
      ...added.slice(0, 3).map((text) => `new of ${kind}: ${text}`),
    ];
  });
}

/** What is more often in `all` than in `some`. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const text of some) left.set(text, (left.get(text) ?? 0) + 1);
  return all.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

const OWN_TIMES = new Set([
  "created_at",
  "updated_at",
  "estimated_dispatch_at",
  "accepted_at",
  "sent_at",
  "delivered_at",
  "read_at",
  "failed_at",
  "sequence",
]);

/** As JSON. The event of an outbound message has a time that is no earlier than ours. */
function nameIds(value: Row, names: ReadonlyMap<string, string>): string {
  const isOutbound = !("direction" in value) || value["direction"] === "outbound";
  const text = JSON.stringify(value, (key, inner: unknown) =>
    OWN_TIMES.has(key) || (key === "occurred_at" && isOutbound) ? undefined : inner,
  );
  return text.replace(
    /[a-z]{2,3}_[0-9a-z]{26}|[0-9a-f]{8}-[0-9a-f-]{27}|\+?\d{6,}|wamid\.[^"]+/g,
    (id) => names.get(id) ?? id,
  );
}

/** All of a list, whose pages are followed. */
async function all(of: Workspace, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body } = await first.call(of.key, "GET", `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
    if (!Array.isArray(body["data"])) throw new Error(`${path}: ${JSON.stringify(body)}`);
    rows.push(...(body["data"] as Row[]));
    cursor = body["has_more"] === false ? null : (body["next_cursor"] as string | null);
  }
  return rows;
}

/** The changes in quarantine, by their ids. */
async function setAside(): Promise<Map<string, Row>> {
  const rows = await query("select id, reason, change from quarantine");
  return new Map(rows.map(({ id, ...row }) => [id as string, row]));
}

const query = (text: string): Promise<Row[]> =>
  withClient(deployment.database.url, async (client) => (await client.query<Row>(text)).rows);
