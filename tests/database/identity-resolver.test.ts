import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { App } from "../../packages/server/src/ctx.ts";
import { claimOf, phoneKeys } from "../../packages/server/src/features/identity/reported-identifiers.ts";
import { IdentityResolver } from "../../packages/server/src/features/identity/resolver.ts";
import { REPORTS } from "../../packages/server/src/features/threads/status.ts";
import { hintsOnly } from "../../packages/server/src/lanes/ownership/hints-only.ts";
import { createLog } from "../../packages/server/src/lib/log.ts";
import { waitForLocks } from "../../packages/server/src/testing/patience.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { callHot, exampleOf, installedName, openWorld } from "./hot-examples.ts";
import { acceptRow, receiveRow, reportRow } from "./hot-rows.ts";
import { AT, NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// What it costs to learn from answers to sends and from statuses: calls, each of which leaves a mark, and rows of evidence.

const WHY = "the login of DATABASE_URL is no superuser";
let database: Owned;
/** Sees the rows of all workspaces; the role that does is not granted, because tests share their roles. */
let client: Client | null = null;
let connect: () => Promise<Client>;
let tenant: Tenant;
let identityResolver: IdentityResolver;
const timers: (() => void)[] = [];

beforeAll(async () => {
  database = await ownedDatabase();
  tenant = await makeTenant(database.db, "+15551230000", NOW);
  const admin = await adminUrl();
  if (admin === null) return;
  connect = async () => {
    const connecting = new Client({ connectionString: urlOf(admin, new URL(database.url).pathname.slice(1)) });
    await connecting.connect();
    return connecting;
  };
  client = await connect();
  const clock = {
    now: () => NOW,
    monotonic: () => performance.now(),
    after: (_: number, fn: () => void) => (timers.push(fn), () => {}),
  };
  // No other part is used.
  identityResolver = new IdentityResolver({
    db: database.db,
    clock,
    log: createLog("silent"),
    notifier: hintsOnly(),
  } as unknown as App);
});
afterAll(async () => {
  await client?.end();
  await database.drop();
});

it("first messages cost one call, and one more where they join two contacts", async (context) => {
  if (!client) return context.skip(WHY);
  await exampleOf("take_evidence").rows(await openWorld(client), tenant);
  expect(await count("contact_evidence")).toBeGreaterThan(0);
  expect(await callsOf(() => identityResolver.resolve(false))).toBe(1);
  expect(await count("contact_evidence")).toBe(0);

  // Two forms of an Argentine number, which only evidence joins.
  await callHot(client, "accept_messages", [
    acceptRow(tenant, { phone: "+5491112340001", phone_loose: "541112340001" }),
    acceptRow(tenant, { phone: "+541112340001" }),
  ]);
  await client.query(
    `insert into contact_evidence (workspace_id, id, contact_id, source, wa_id, wa_key, wa_loose, at, look_at)
     select c.workspace_id, new_uuid(now()), c.id, 'answer', '5491112340001', '5491112340001', '541112340001', $2, $2
     from contact c where c.workspace_id = $1 and c.phone = '+541112340001'`,
    [tenant.workspace, new Date(NOW)],
  );
  expect(await callsOf(() => identityResolver.resolve(false))).toBe(2);
  expect(await count("contact where merged_into is not null")).toBe(1);
});

it("a status that names the number written to is learned with it, and is no evidence", async (context) => {
  if (!client) return context.skip(WHY);
  const waIds = { "+15557780001": "15557780001", "+447911778000": "447911778000" };
  await reported(client, waIds, ["sent", "delivered"]);
  for (const [phone, waId] of Object.entries(waIds)) {
    expect(await contactOf(phone)).toMatchObject({ wa_id: waId, wa_id_at: new Date(NOW + 1_000), source: "status" });
  }
  expect(await count("contact_evidence where other_contact_id is null")).toBe(0);
  const learned = await contactOf("+15557780001");
  await reported(client, { "+15557780001": "15557780001" }, ["sent"]);
  expect(await contactOf("+15557780001")).toEqual(learned);
});

const OTHERS = {
  "+5521987790001": "552187790001",
  "+15557790002": "15557790009",
  "+15557790003": "15557790003",
};

it.for([
  { what: "an answer", by: (client: Client) => answered(client, { ...OTHERS, "+15557790003": "15557790009" }) },
  { what: "a status", by: (client: Client) => reported(client, OTHERS, ["sent"]) },
])("$what that names another form, another contact's number or our own waits as evidence", async ({ by }, context) => {
  if (!client) return context.skip(WHY);
  await client.query("delete from contact_evidence");
  await callHot(client, "accept_messages", [acceptRow(tenant, { phone: "+15557790009" })]);
  await client.query("update phone_number set phone = '+15557790003' where workspace_id = $1", [tenant.workspace]);
  await by(client);
  expect(await count("contact_evidence where other_contact_id is null")).toBe(3);
  await identityResolver.resolve(false);
  expect(await contactOf("+5521987790001")).toMatchObject({ wa_id: "552187790001" });
  for (const phone of ["+15557790002", "+15557790003"]) expect(await contactOf(phone)).toMatchObject({ wa_id: null });
});

it("an answer that is stored again, because the answer of the call was lost, is evidence once", async (context) => {
  if (!client) return context.skip(WHY);
  await answered(client, { "+5521987790011": "552187790011" }, 2);
  expect(await count("contact_evidence where other_contact_id is null")).toBe(1);
  await identityResolver.resolve(false);
});

it.for([
  { what: "contact", held: "contact where workspace_id = $1 and phone = '+15557800001'" },
  { what: "number", held: "identifier where workspace_id = $1 and value = '15557800002'" },
])(
  "a status of a $what that another call holds waits as evidence, and nothing waits for it",
  async ({ what, held }, context) => {
    if (!client) return context.skip(WHY);
    const phone = what === "contact" ? "+15557800001" : "+15557800002";
    const holder = await connect();
    try {
      const hold = async (): Promise<void> => {
        await holder.query("begin");
        await holder.query(`select from ${held} for update`, [tenant.workspace]);
      };
      await reported(client, { [phone]: phone.slice(1) }, ["sent"], { before: hold });
      expect(await count("contact_evidence where other_contact_id is null")).toBe(1);
      await holder.query("rollback");
      await identityResolver.resolve(false);
      expect(await contactOf(phone)).toMatchObject({ wa_id: phone.slice(1), source: "status" });
    } finally {
      await holder.end();
    }
  },
);

it("a call locks no contact that its statuses name while it waits for a sender's", async (context) => {
  if (!client) return context.skip(WHY);
  const [named, writing] = ["+15557810001", "+15557810002"];
  const [holder, caller] = [await connect(), await connect()];
  let call: Promise<unknown> = Promise.resolve();
  try {
    const [first] = await accepted(client, { [named]: named.slice(1) });
    await accepted(client, { [writing]: writing.slice(1) });
    // So that it is still waiting when it is looked at.
    await waitForLocks(database.url, installedName("take_reports"));
    await holder.query("begin");
    const lock = "select from contact where workspace_id = $1 and phone = $2 for no key update skip locked";
    expect((await holder.query(lock, [tenant.workspace, writing])).rowCount).toBe(1);
    call = callHot(caller, "take_reports", [
      { ...reportRow(tenant, "wamid.of.named"), message_id: first?.id, ...first?.claim },
      receiveRow(tenant, writing, "wamid.of.writing", {}),
    ]);
    call.catch(() => {}); // looked at below
    await expect.poll(() => count(waitingIn("take_reports"))).toBe(1);
    expect((await holder.query(lock, [tenant.workspace, named])).rowCount).toBe(1);
    await holder.query("rollback");
    await call;
    expect(await contactOf(named)).toMatchObject({ wa_id: named.slice(1), source: "status" });
  } finally {
    await holder.end();
    await caller.end();
  }
});

it("the user id of a first status is learned with its number, once", async (context) => {
  if (!client) return context.skip(WHY);
  await client.query("delete from contact_evidence");
  const waIds = { "+15557820001": "15557820001" };
  await reported(client, waIds, ["sent", "delivered"], { userIds: ["US.ONE", "US.ONE"] });
  const learned = await contactOf("+15557820001");
  expect(learned).toMatchObject({
    wa_id: "15557820001",
    user_id: "US.ONE",
    source: "status",
    ids: 1,
    id_since: new Date(NOW),
  });
  await reported(client, waIds, ["sent", "delivered"], { userIds: ["US.ONE", "US.ONE"] });
  expect(await contactOf("+15557820001")).toEqual(learned);
  expect(await count("contact_evidence")).toBe(0);
});

it("a user id that is another's, two for one person and one for two people wait as evidence", async (context) => {
  if (!client) return context.skip(WHY);
  await reported(client, { "+15557830001": "15557830001" }, ["sent"], { userIds: ["US.TAKEN"] });
  await reported(client, { "+15557830002": "15557830002" }, ["sent"], { userIds: ["US.TAKEN"] });
  expect(await count("contact_evidence where user_id = 'US.TAKEN'")).toBe(1);
  expect(await contactOf("+15557830002")).toMatchObject({ wa_id: null, user_id: null, ids: 0 });

  await reported(client, { "+15557830003": "15557830003" }, ["sent", "delivered"], { userIds: ["US.OLD", "US.NEW"] });
  expect(await contactOf("+15557830003")).toMatchObject({ wa_id: null, user_id: null, ids: 0 });
  expect(await count("contact_evidence where user_id in ('US.OLD', 'US.NEW')")).toBe(2);

  const both = { "+15557830004": "15557830004", "+15557830005": "15557830005" };
  await reported(client, both, ["sent"], { userIds: ["US.BOTH"] });
  expect(await count("contact_evidence where user_id = 'US.BOTH'")).toBe(2);

  // In two portfolios too: it is shown of one contact.
  const apart = { "+15557830006": "15557830006", "+15557830007": "15557830007" };
  await reported(client, apart, ["sent"], { userIds: ["US.APART"], scopes: ["one", "two"] });
  expect(await count("contact_evidence where user_id = 'US.APART'")).toBe(2);
  await identityResolver.resolve(false);
});

it("what is said within a moment is learned in one call", async (context) => {
  if (!client) return context.skip(WHY);
  await callHot(client, "accept_messages", [acceptRow(tenant, { phone: "+15557770001" })]);
  await client.query(
    `insert into contact_evidence (workspace_id, id, contact_id, source, wa_id, at, look_at)
     select c.workspace_id, new_uuid(now()), c.id, 'answer', '15557770001', $2, $2
     from contact c where c.workspace_id = $1 and c.phone = '+15557770001'`,
    [tenant.workspace, new Date(NOW)],
  );
  for (let n = 0; n < 3; n++) identityResolver.resolveSoon([{ has_evidence: true }], false);
  expect(timers).toHaveLength(1);
  const calls = await callsOf(async () => {
    timers[0]?.();
    await expect.poll(() => count("contact_evidence where source = 'answer'")).toBe(0);
  });
  expect(calls).toBe(1);
});

type WaIds = Readonly<Record<string, string>>;

/** First messages to these numbers, and what the provider calls the recipients. */
async function accepted(client: Client, waIds: WaIds) {
  const sends = Object.entries(waIds).map(([phone, waId]) => {
    const { key, loose } = phoneKeys(phone.slice(1));
    const row = acceptRow(tenant, { phone, phone_key: key, phone_loose: loose });
    return { row, claim: claimOf({ waId, userId: null, parentUserId: null }, "portfolio") };
  });
  await callHot(
    client,
    "accept_messages",
    sends.map(({ row }) => row),
  );
  return sends.map(({ row: { id, workspace_id }, claim }) => ({ id, workspace_id, claim }));
}

/** The provider names the recipients in its answers. */
async function answered(client: Client, waIds: WaIds, times: 1 | 2 = 1): Promise<void> {
  const outcomes = (await accepted(client, waIds)).map(({ id, workspace_id, claim }) => ({
    slot: 0,
    seq: 0,
    lane: 0,
    recipient: 0,
    workspace_id,
    message_id: id,
    attempt: 1,
    outcome: "accepted",
    at: AT,
    provider_message_id: `wamid.${id}`,
    ...claim,
  }));
  for (const again of [false, true].slice(0, times)) await callHot(client, "settle_sends", outcomes, again);
}

/** The provider names them in statuses, a second after each other, each with its user id; `scopes`: of the recipients. */
async function reported(
  client: Client,
  waIds: WaIds,
  statuses: readonly ("sent" | "delivered")[],
  {
    userIds = [],
    scopes = [],
    before = async () => {},
  }: { userIds?: readonly string[]; scopes?: readonly string[]; before?: () => Promise<void> } = {},
): Promise<void> {
  const sends = await accepted(client, waIds);
  await before();
  await callHot(
    client,
    "take_reports",
    sends.flatMap(({ id, claim }, at) =>
      statuses.map((status, n) => ({
        ...reportRow(tenant, `wamid.${id}`),
        message_id: id,
        bit: REPORTS[status].bit,
        at: new Date(NOW + n * 1_000).toISOString(),
        ...claim,
        user_id: userIds[n],
        scope: scopes[at] ?? claim.scope,
      })),
    ),
  );
}

type Shown = {
  wa_id: string | null;
  wa_id_at: Date | null;
  user_id: string | null;
  source: string | null;
  ids: number;
};

const contactOf = async (phone: string): Promise<Shown | undefined> =>
  (
    await client?.query<Shown>(
      `select c.wa_id, c.wa_id_at, c.user_id, c.updated_at, c.revision, i.source, u.ids, u.id_since from contact c
       cross join lateral (
         select count(*)::int as ids, min(u.since) as id_since from identifier u
         where u.workspace_id = c.workspace_id and u.contact_id = c.id and u.kind = 'user_id') u
       left join identifier i on i.workspace_id = c.workspace_id and i.kind = 'phone' and i.value = c.wa_id
       where c.workspace_id = $1 and c.phone = $2`,
      [tenant.workspace, phone],
    )
  )?.rows[0];

/** Calls of a function that wait for a lock in this database. */
const waitingIn = (name: string): string =>
  `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%${installedName(name)}%'`;

async function callsOf(work: () => Promise<void>): Promise<number> {
  const before = await count("flight");
  await work();
  return (await count("flight")) - before;
}

async function count(rows: string): Promise<number> {
  const found = await client?.query<{ count: string }>(`select count(*) as count from ${rows}`);
  return Number(found?.rows[0]?.count);
}
