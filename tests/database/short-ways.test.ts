import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AcceptRow } from "../../packages/server/src/features/messages/accept/accept-input.ts";
import { slotOf } from "../../packages/server/src/lanes/lane-kinds.ts";
import { MINUTE_MS } from "../../packages/server/src/lib/duration.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { callHot, openWorld, type Row, type World } from "./hot-examples.ts";
import { acceptRow, intentRow } from "./hot-rows.ts";
import { AT, NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// Hot functions take a usual row that is alone in its call by a short way. Any history must end the same whichever way its rows took:
// one workspace has each alone in a call, another one has the same beside a row of a third, and what is answered and stored of both is
// compared. That the short way is taken at all is tested by plans.test.ts.

let database: Owned;
let client: Client;
let tables: string[];
let tenants: Record<"alone" | "beside" | "third", Tenant>;
let world: World;

beforeAll(async () => {
  database = await ownedDatabase();
  const make = (): Promise<Tenant> => makeTenant(database.db, "+15551230000", NOW);
  tenants = { alone: await make(), beside: await make(), third: await make() };
  client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'flight' order by 1`,
  );
  tables = rows.map(({ name }) => name);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Ids of the one workspace, and what stands for each in the other. */
class Twins {
  readonly #ids = new Map<string, string>();
  readonly #back = new Map<string, string>();

  constructor() {
    for (const [name, id] of Object.entries(tenants.alone))
      if (typeof id === "string" && UUID.test(id)) this.add(id, String(tenants.beside[name as keyof Tenant]));
  }

  add(id: string, twin: string): string {
    this.#ids.set(id, twin);
    this.#back.set(twin, id);
    return id;
  }

  /** A new id of the one workspace. */
  id(): string {
    return this.add(newUuid(NOW), newUuid(NOW));
  }

  /** The same value of the other workspace. */
  of<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replaceAll(UUIDS, (id) => this.#ids.get(id) ?? id)) as T;
  }

  /** A text of the other workspace as the one would have it; ids that the database generated are not compared. */
  back(text: string): string {
    return text.replaceAll(UUIDS, (id) => this.#back.get(id) ?? (this.#ids.has(id) ? id : "<generated>"));
  }
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const UUID = new RegExp(`^${UUIDS.source}$`);

/** A row of the third workspace, which writes no event. */
const beside = (): AcceptRow => acceptRow(tenants.third, { phone: tenants.third.phone, new_contact_id: null });

/** What a call hands over to the lanes of its process: only one with a single row does. */
const withoutHanded = ({ queued: _queued, handed: _handed, ...answer }: Row = {}): Row => answer;

/** Runs a history in both workspaces, in a transaction that is rolled back, and compares what is there afterwards. */
async function inBoth(history: (both: Both) => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ role: string }>("select engine_role as role from installation");
  const role = rows[0]?.role ?? "";
  await client.query(
    `begin; grant ${role} to current_user; grant all on all tables in schema public to ${role}; grant all on all sequences in schema public to ${role}`,
  );
  try {
    await client.query(`set local role ${role}`);
    world = await openWorld(client);
    const twins = new Twins();
    await history({
      twins,
      async call(name, row, beside, again = false) {
        const of = async (tenant: Tenant): Promise<object> =>
          typeof row === "function" ? await row(tenant) : tenant === tenants.alone ? row : twins.of(row);
        const alone = await callHot(client, name, [await of(tenants.alone)], again);
        const [first] = await callHot(client, name, [await of(tenants.beside), beside], again);
        const [one, other] = [
          await said([JSON.stringify(alone.map(withoutHanded))], tenants.alone),
          await said([JSON.stringify([first].map(withoutHanded))], tenants.beside),
        ];
        expect(one.map((line) => twins.back(line))).toEqual(other.map((line) => twins.back(line)));
        return alone[0] ?? {};
      },
      async query(text, values = []) {
        const found = await world.query(text, [tenants.alone.workspace, ...values]);
        await world.query(text, [tenants.beside.workspace, ...twins.of(values)]);
        return found;
      },
    });
    const of = async (tenant: Tenant): Promise<string[]> =>
      (await said(await stored(tenant), tenant)).map((line) => twins.back(line)).toSorted();
    expect(await of(tenants.alone)).toEqual(await of(tenants.beside));
  } finally {
    await client.query("rollback");
  }
}

type Both = {
  twins: Twins;
  /** Calls with the row, alone in the one workspace, and beside another one in the other. The answer of the one. */
  call(
    name: string,
    row: object | ((tenant: Tenant) => Promise<object>),
    beside: object,
    again?: boolean,
  ): Promise<Row>;
  /** Changes something of each workspace, which is `$1`. */
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
};

/** Every row of a workspace, a line each. */
async function stored({ workspace }: Tenant): Promise<string[]> {
  const lines: string[] = [];
  for (const name of tables)
    for (const { row } of await world.query(
      `select row from (select to_jsonb(t)::text as row from ${name} t) t where strpos(row, $1) > 0`,
      [workspace],
    ))
      lines.push(`${name} ${String(row)}`);
  return lines;
}

/** A line for each, in which numbers that differ from workspace to workspace say what they are. */
async function said(texts: readonly string[], tenant: Tenant): Promise<string[]> {
  const people = await world.query(
    `select p.id, hashtextextended($2::text || p.id::text, 0)::text as conversation from (
       select c.id from contact c where c.workspace_id = $1 union select e.contact_id from event e where e.workspace_id = $1) p`,
    [tenant.workspace, tenant.number],
  );
  const conversations = new Map(people.map(({ id, conversation }) => [conversation, `of ${String(id)}`]));
  const places = placesOf(texts);
  return texts.map((text) =>
    text
      .replaceAll(NUMBERED, (_, key: string, number: string) => `"${key}":<${places(text, key, number)}>`)
      .replaceAll(/-?\d{15,19}/g, (number) => conversations.get(number) ?? number)
      .replaceAll(/"(lane|slot|xid|changed_in)": ?"?\d+"?/g, (_, key: string) => `"${key}":<own>`)
      .replace(`"slots_mask":"${1n << BigInt(slotOf(tenant.endpointLane))}"`, '"slots_mask":<own>'),
  );
}

/** The place of a number among those that were drawn from the same sequence: they are compared by their order. */
function placesOf(texts: readonly string[]): (text: string, key: string, number: string) => number {
  const sequenceOf = (text: string, key: string): string =>
    key === "seq" && text.startsWith("deliver ") ? "deliver" : key;
  const drawn = new Map<string, Set<number>>();
  for (const text of texts)
    for (const [, key = "", number] of text.matchAll(NUMBERED)) {
      const sequence = sequenceOf(text, key);
      drawn.set(sequence, (drawn.get(sequence) ?? new Set()).add(Number(number)));
    }
  const sorted = new Map([...drawn].map(([key, all]) => [key, [...all].toSorted((one, other) => one - other)]));
  return (text, key, number) => sorted.get(sequenceOf(text, key))?.indexOf(Number(number)) ?? -1;
}
const NUMBERED = /"(seq|sequence)": ?"?(\d+)"?/g;

// ---- accept_messages

const KNOWN = ["+15551230001", "+15551230002", "+5491112345678", "+541112345678"] as const;
const PEOPLE = [...KNOWN, "+15551239999"] as const;

const sends = fc.record({
  person: fc.nat(PEOPLE.length - 1),
  by: fc.constantFrom("phone", "phone", "contact", "user", "no contact"),
  remembered: fc.boolean(),
  type: fc.constantFrom("text", "text", "template", "template", "fallback"),
  category: fc.constantFrom("utility", "marketing"),
  revision: fc.constantFrom(1, 1, 1, 2),
  key: fc.constantFrom(null, null, "a0", "a1", "a2"),
  fingerprint: fc.constantFrom("00", "00", "00", "01"),
  quotes: fc.constantFrom(false, false, false, true),
  take: fc.constantFrom(null, null, true),
  send_at: fc.constantFrom(null, null, NOW - MINUTE_MS, NOW + MINUTE_MS),
  caller: fc.boolean(),
  limited: fc.constantFrom(false, false, true),
  sender: fc.constantFrom("number", "number", "number", "other"),
  again: fc.constantFrom(false, false, false, false, true),
});
/** Of the conversations of a person, of the person, and of the workspace. */
const talk = (set: string) => ({ change: `update conversation set ${set}`, of: "contact_id" });
const contact = (set: string) => ({ change: `update contact set ${set}`, of: "id" });
const all = (table: string, set: string) => ({ change: `update ${table} set ${set}`, of: "$2::uuid" });
const CHANGES = {
  "the person writes": talk(`last_inbound_at = '${AT}', last_message_at = '${AT}'`),
  "the window closes": talk("last_inbound_at = last_inbound_at - interval '2 days'"),
  "days pass": talk("last_message_at = last_message_at - interval '2 days'"),
  "another responder takes over": talk(`owner_role = 'other', owner_since = '${AT}', owner_at = '${AT}'`),
  "we take over": talk("owner_role = 'self'"),
  "they stop marketing": contact("marketing_consent = 'opted_out'"),
  "they allow marketing": contact("marketing_consent = 'opted_in'"),
  "their number is unknown": contact(`phone = null, is_named = false, user_id = case when exists (
    select from contact o where o.workspace_id = contact.workspace_id and o.user_id = 'US.' || right(contact.phone, 4))
    then user_id else 'US.' || right(phone, 4) end`),
  "the template is paused": all("template", "status = 'paused'"),
  "the template is approved": all("template", "status = 'approved'"),
  "the number goes offline": all("phone_number", "status = 'pending'"),
  "the number is back": all("phone_number", "status = 'connected'"),
  "keys grow old": all("idempotency_key", "created_at = created_at - interval '8 days'"),
  "keys are forgotten": all("idempotency_key", "created_at = created_at - interval '31 days'"),
};
const changes = fc.record({
  change: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
  person: fc.nat(KNOWN.length - 1),
});
const histories = fc.array(fc.oneof({ arbitrary: sends, weight: 3 }, { arbitrary: changes, weight: 1 }), {
  minLength: 5,
  maxLength: 25,
});

/** A template to a person whom the caller remembers, by a request without a key. */
const USUAL = {
  person: 0,
  by: "phone",
  remembered: true,
  type: "template",
  category: "utility",
  revision: 1,
  key: null,
  fingerprint: "00",
  quotes: false,
  take: null,
  send_at: null,
  caller: true,
  limited: false,
  sender: "number",
  again: false,
} as const;

describe("accept_messages", () => {
  it("gives each of its outcomes for a row that is alone, and stores what belongs to it", async () => {
    const text = { ...USUAL, type: "text" } as const;
    const history: [Step, string?][] = [
      [{ ...USUAL, key: "a0" }, "accepted"],
      [{ ...USUAL, key: "a0" }, "replay"],
      [{ ...USUAL, key: "a0", fingerprint: "01" }, "reused"],
      [{ change: "keys grow old", person: 0 }],
      [{ ...USUAL, key: "a0" }, "expired_key"],
      [{ change: "keys are forgotten", person: 0 }],
      [{ ...USUAL, key: "a0", again: true }, "accepted"],
      [{ ...USUAL, person: 2, category: "marketing" }, "accepted"],
      [{ change: "they stop marketing", person: 3 }],
      [{ ...USUAL, person: 2, category: "marketing" }, "recipient_opted_out"],
      [{ ...USUAL, revision: 2 }, "stale_template"],
      [{ ...USUAL, person: 4 }, "stranger"],
      [{ ...USUAL, person: 4, remembered: false, again: true }, "accepted"],
      [{ ...USUAL, by: "no contact" }, "reference_not_found"],
      [text, "window_closed"],
      [{ ...text, type: "fallback" }, "accepted"],
      [{ change: "the person writes", person: 0 }],
      [{ ...text, by: "contact", again: true }, "accepted"],
      [{ ...text, quotes: true }, "accepted"],
      [{ ...text, quotes: true, person: 1, type: "fallback", send_at: NOW + MINUTE_MS }, "accepted"],
      [{ change: "another responder takes over", person: 0 }],
      [text, "thread_not_owned"],
      [{ ...text, take: true, remembered: false }, "accepted"],
      [{ ...USUAL, person: 1, limited: true }, "accepted"],
      [{ ...USUAL, person: 2, limited: true, again: true }, "accepted"],
      [{ ...USUAL, person: 3, limited: true }, "accepted"],
      [{ ...USUAL, person: 4, limited: true }, "messaging_limit_reached"],
      [{ ...USUAL, person: 3, limited: true }, "accepted"],
      [{ change: "their number is unknown", person: 1 }],
      [{ ...USUAL, person: 1, by: "user" }, "accepted"],
      [{ change: "the template is paused", person: 0 }],
      [USUAL, "template_not_approved"],
      [{ change: "the number goes offline", person: 0 }],
      [USUAL, "sender_unavailable"],
      [{ ...USUAL, sender: "other" }, "sender_unavailable"],
    ];
    await inBoth(async (both) => {
      const answers = await accepting(
        both,
        history.map(([step]) => step),
      );
      expect(answers.map(({ outcome }) => outcome)).toEqual(history.flatMap(([, outcome]) => outcome ?? []));
    });
  });

  it("answers and stores the same for any history of rows that are alone", () =>
    fc.assert(
      fc.asyncProperty(histories, (history) => inBoth(async (both) => void (await accepting(both, history)))),
      { numRuns: 15 },
    ));
});

type Step = typeof histories extends fc.Arbitrary<(infer One)[]> ? One : never;

const accepting = async (both: Both, history: readonly Step[]): Promise<Row[]> =>
  (await acceptedRows(both, history)).answers;

/** Accepts what a history says, to people who are created before it: the rows of these, and those of the history with their answers. */
async function acceptedRows(both: Both, history: readonly Step[]) {
  const { twins, call, query } = both;
  const known = [...KNOWN, "+15551238888"].map((phone) =>
    acceptRow(tenants.alone, { id: twins.id(), phone, new_contact_id: twins.id() }),
  );
  for (const row of known) await call("accept_messages", row, beside());
  // The last one was found to be the first.
  await query("update contact c set merged_into = $2, phone = null where c.workspace_id = $1 and c.id = $3", [
    known[0]?.new_contact_id,
    known.at(-1)?.new_contact_id,
  ]);
  await query(
    "insert into portfolio_limit (portfolio_id, most, used, updated_at) values ('limit of ' || $1::text, 3, 0, $2)",
    [AT],
  );
  const rows: AcceptRow[] = [];
  const answers: Row[] = [];
  for (const step of history) {
    if ("change" in step) {
      await changed(both, CHANGES[step.change], known[step.person]);
      continue;
    }
    const row = rowOf(step, twins, known);
    rows.push(row);
    answers.push(await call("accept_messages", row, beside()));
    if (step.again) await call("accept_messages", row, beside(), true);
  }
  return { known, rows, answers };
}

const changed = (
  { query }: Both,
  { change, of }: { change: string; of: string },
  person: AcceptRow | undefined,
): Promise<Row[]> => query(`${change} where workspace_id = $1 and ${of} = $2`, [person?.new_contact_id]);

function rowOf(step: Exclude<Step, { change: unknown }>, twins: Twins, known: readonly AcceptRow[]): AcceptRow {
  const { alone } = tenants;
  const id = twins.id();
  const of = known[step.person];
  const name = {
    phone: { phone: PEOPLE[step.person] ?? null, phone_loose: step.person === 2 ? "541112345678" : null },
    contact: { contact_id: of?.new_contact_id ?? null },
    user: { user_id: `US.${PEOPLE[step.person]?.slice(-4)}` },
    "no contact": { contact_id: twins.id() },
  }[step.by];
  const free = { type: "text", template_id: null, template_revision: null, category: null };
  const template = { template_revision: step.revision, category: step.category };
  return acceptRow(alone, {
    id,
    public_id: `msg_${id}`,
    phone: null,
    ...name,
    new_contact_id: step.remembered ? null : twins.id(),
    ...{
      text: free,
      template,
      fallback: { ...free, ...template, template_id: alone.template, fallback: { name: "hello" } },
    }[step.type],
    key: step.key,
    fingerprint: step.key === null ? null : step.fingerprint,
    reply_to: step.quotes ? (of?.id ?? null) : null,
    take: step.take,
    send_at: step.send_at === null ? null : new Date(step.send_at).toISOString(),
    actor_type: step.caller ? "api_key" : null,
    portfolio: step.limited && step.type === "template" ? `limit of ${alone.workspace}` : null,
    phone_number_id: step.sender === "number" ? alone.number : alone.account,
  });
}

// ---- begin_sends

const begins = fc.record({
  /** Of the messages that were accepted. */
  message: fc.nat(11),
  attempt: fc.constantFrom(0, 0, 0, 1),
  state: fc.constantFrom(0, 0, 0, 1),
  asked: fc.constantFrom(false, false, false, true),
  epoch: fc.constantFrom(1, 1, 1, 1, 2),
  joined: fc.constantFrom(0, 1),
  limited: fc.boolean(),
  again: fc.constantFrom(false, false, false, true),
});
const WHILE_WAITING = {
  ...CHANGES,
  "a form of their number is known": contact("wa_id = '15559990000', refused_form = null"),
  "it is refused": contact("refused_form = wa_id"),
  "another record was merged into theirs": contact("has_merged = true"),
  "their number is another person's": {
    change: `with gone as (update identifier set until = '${AT}' where workspace_id = $1 and contact_id = $2)
      update contact set phone = null`,
    of: "id",
  },
  "sends are ready again": all("dispatch", "state = 0"),
  "an attempt was lost": all("message", "resend_once = true"),
};
const whileWaiting = fc.record({
  waits: fc.constantFrom(...(Object.keys(WHILE_WAITING) as (keyof typeof WHILE_WAITING)[])),
  person: fc.nat(KNOWN.length - 1),
});
const waits = fc.array(fc.oneof({ arbitrary: begins, weight: 3 }, { arbitrary: whileWaiting, weight: 1 }), {
  minLength: 5,
  maxLength: 25,
});
type Begin = typeof begins extends fc.Arbitrary<infer One> ? One : never;
type Wait = typeof waits extends fc.Arbitrary<(infer One)[]> ? One : never;

/** A first attempt of the first message, which is a template. */
const FIRST = {
  message: 0,
  attempt: 0,
  state: 0,
  asked: false,
  epoch: 1,
  joined: 1,
  limited: false,
  again: false,
} as const;

describe("begin_sends", () => {
  it("gives each of its outcomes for a row that is alone, and stores what belongs to it", async () => {
    const history: [Wait, string?][] = [
      [{ ...FIRST, epoch: 2 }, "no"],
      [{ ...FIRST, state: 1 }, "no"],
      [{ ...FIRST, again: true }, "go"],
      [FIRST, "no"],
      [{ ...FIRST, asked: true }, "go"],
      [{ ...FIRST, message: 2, limited: true }, "uncounted"],
      [{ ...FIRST, message: 1, limited: true }, "go"],
      [{ waits: "a form of their number is known", person: 2 }],
      [{ ...FIRST, message: 2 }, "go"],
      [{ waits: "they stop marketing", person: 2 }],
      [{ ...FIRST, message: 3 }, "opted_out"],
      [{ ...FIRST, message: 4 }, "go"],
      [{ ...FIRST, message: 8 }, "go"],
      [{ ...FIRST, message: 10 }, "no_target"],
      [{ waits: "another responder takes over", person: 1 }],
      [{ ...FIRST, message: 6 }, "not_owned"],
      [{ ...FIRST, message: 7 }, "go"],
      [{ waits: "the window closes", person: 0 }],
      [{ ...FIRST, message: 5 }, "window_closed"],
      [{ ...FIRST, message: 9, limited: true }, "go"],
      [{ waits: "their number is another person's", person: 3 }],
      [{ ...FIRST, message: 11 }, "unreachable"],
    ];
    await inBoth(async (both) => {
      const answers = await beginning(
        both,
        history.map(([step]) => step),
      );
      expect(answers.map(({ outcome }) => outcome)).toEqual(history.flatMap(([, outcome]) => outcome ?? []));
    });
  });

  it("answers and stores the same for any history of rows that are alone", () =>
    fc.assert(
      fc.asyncProperty(waits, (history) => inBoth(async (both) => void (await beginning(both, history)))),
      { numRuns: 15 },
    ));
});

async function beginning(both: Both, history: readonly Wait[]): Promise<Row[]> {
  const text = { ...USUAL, type: "text" } as const;
  const { known, rows } = await acceptedRows(both, [
    USUAL,
    { ...USUAL, person: 1 },
    { ...USUAL, person: 2 },
    { ...USUAL, person: 2, category: "marketing" },
    { change: "the person writes", person: 0 },
    { change: "the person writes", person: 1 },
    text,
    { ...text, by: "contact", take: true },
    { ...text, person: 1 },
    { ...text, person: 1, take: true },
    { ...text, quotes: true },
    { ...USUAL, person: 3, limited: true },
    text,
    { ...USUAL, person: 3 },
  ]);
  await both.query("update message m set type = 'reaction' where m.workspace_id = $1 and m.id = $2", [rows[10]?.id]);
  const answers: Row[] = [];
  for (const step of history) {
    if ("waits" in step) {
      await changed(both, WHILE_WAITING[step.waits], known[step.person]);
      continue;
    }
    const row = (tenant: Tenant) => intentOf(step, both.twins, tenant, String(rows[step.message]?.id));
    const none = { slot: 1, seq: 0 };
    const beside = { ...intentRow(none, tenants.third.workspace, tenants.third.number), ...BEGINNING };
    answers.push(await both.call("begin_sends", row, beside));
    if (step.again) await both.call("begin_sends", row, beside, true);
  }
  return answers;
}
const BEGINNING = { attempt: 0, state: 0, asked: false };

/** The row that begins a message's attempt in one of the workspaces. */
async function intentOf({ limited, ...step }: Begin, twins: Twins, tenant: Tenant, id: string): Promise<object> {
  const own = tenant === tenants.alone ? id : twins.of(id);
  const [place] = await world.query(
    "select slot, seq, recipient from dispatch where workspace_id = $1 and message_id = $2",
    [tenant.workspace, own],
  );
  return {
    ...intentRow({ slot: place?.["slot"], seq: place?.["seq"] }, tenant.workspace, own),
    recipient: place?.["recipient"],
    attempt: step.attempt,
    state: step.state,
    asked: step.asked,
    epoch: step.epoch,
    joined: step.joined,
    portfolio: limited ? `limit of ${tenant.workspace}` : null,
  };
}

// ---- load_deliveries

const loads = fc.record({
  /** Of the events that there are. */
  event: fc.nat(6),
  joined: fc.constantFrom(0, 1),
  body: fc.boolean(),
  /** The caller knows whose data is in it. */
  contact: fc.boolean(),
  endpoint: fc.constantFrom(true, true, true, false),
});
type Load = typeof loads extends fc.Arbitrary<infer One> ? One : never;
const BETWEEN = {
  "the endpoint keeps order": all("webhook_endpoint", "ordered = true"),
  "the endpoint is changed": all("webhook_endpoint", "enabled = not enabled, version = version + 1"),
  "an earlier delivery waits": all("deliver", `due = '${AT}'`),
  "a person is erased": {
    change: `insert into erased_contact (workspace_id, id, person, erased_at)
      select c.workspace_id, c.id, c.id, '${AT}' from contact c`,
    of: "c.id",
  },
  "a person's record is gone": { change: "delete from contact", of: "id" },
};
const between = fc.record({
  happens: fc.constantFrom(...(Object.keys(BETWEEN) as (keyof typeof BETWEEN)[])),
  person: fc.nat(KNOWN.length - 1),
});
const loading = fc.array(fc.oneof({ arbitrary: loads, weight: 4 }, { arbitrary: between, weight: 1 }), {
  minLength: 5,
  maxLength: 20,
});

describe("load_deliveries", () => {
  it("gives the same of any row that is alone", () =>
    fc.assert(
      fc.asyncProperty(loading, (history) =>
        inBoth(async (both) => {
          const { known } = await acceptedRows(both, [USUAL]);
          // The first two are about messages, one of which came in; the last one's contact was merged.
          await both.query(
            `update event e set message_id = m.id, kind = 'sent', state = '{"seen":1}' from message m
             where e.workspace_id = $1 and m.workspace_id = $1 and m.id = any($2) and m.contact_id = e.contact_id`,
            [known.slice(0, 2).map(({ id }) => id)],
          );
          await both.query("update message set outbound = false where workspace_id = $1 and id = $2", [known[1]?.id]);
          const first: Load[] = Array.from({ length: known.length }, (_, event) => ({
            event,
            joined: 0 as const,
            body: true,
            contact: true,
            endpoint: true,
          }));
          for (const step of [...first, ...history])
            if ("happens" in step) {
              const { change, of } = BETWEEN[step.happens];
              const where = change.startsWith("insert") ? "c.workspace_id" : "workspace_id";
              await both.query(
                `${change} where ${where} = $1 and ${of} = $2${change.startsWith("insert") ? " on conflict do nothing" : ""}`,
                [known[step.person]?.new_contact_id],
              );
            } else {
              const row = (tenant: Tenant) => loadOf(step, tenant);
              await both.call("load_deliveries", row, await loadOf(step, tenants.third));
            }
        }),
      ),
      { numRuns: 15 },
    ));
});

/** The row that loads a delivery of one of the workspaces; of an event that does not exist where there are not so many. */
async function loadOf({ event, contact, endpoint, ...step }: Load, tenant: Tenant): Promise<object> {
  const places = await world.query(
    `select d.slot, d.lane, d.seq, d.event_id, d.conversation, e.contact_id from deliver d
     join event e on e.workspace_id = d.workspace_id and e.id = d.event_id
     where d.workspace_id = $1 order by d.seq`,
    [tenant.workspace],
  );
  const { contact_id, ...place } = places[event] ?? {};
  const none = { slot: slotOf(tenant.endpointLane), seq: 0, event_id: newUuid(NOW), conversation: "0" };
  return {
    ...none,
    ...place,
    ...step,
    workspace_id: tenant.workspace,
    lane: endpoint ? tenant.endpointLane : 0,
    contact_id: contact ? contact_id : null,
  };
}
