import type { Client } from "pg";
import { claimOf } from "../../packages/server/src/features/identity/reported-identifiers.ts";
import type { AcceptRow } from "../../packages/server/src/features/messages/accept/accept-input.ts";
import { REPORTS } from "../../packages/server/src/features/threads/status.ts";
import { FEATURES, HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { slotOf } from "../../packages/server/src/lanes/lane-kinds.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import {
  acceptRow,
  callRow,
  echoRow,
  endTaskRow,
  handoverRow,
  intentRow,
  pastRow,
  preferenceRow,
  receiveRow,
  reportRow,
  templateRow,
} from "./hot-rows.ts";
import { AT, NOW, WORKER } from "./owned.ts";
import type { Tenant } from "./rows.ts";

// One example of each hot function. These tests walk the table: plans.test.ts (its plans, on tables in each of several states)
// and hot-functions.test.ts (rows of two workspaces in one call, and a call whose answer was lost). A function without an
// example fails in all of them. `npm run test:sql` runs these files.

export type Row = Record<string, unknown>;

/** What an example is prepared in: one connection that sees and may write all tables, inside a transaction that is rolled back. */
export type World = {
  /** Calls a hot function. */
  call(name: string, rows: readonly object[]): Promise<Row[]>;
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The last numbers of the queues before the example was prepared: the watermarks of tail reads. */
  before: Numbers;
};

export type HotExample = {
  /** Prepares what the call needs of the workspace, and gives the rows of the call. */
  rows(world: World, tenant: Tenant): object[] | Promise<object[]>;
  /** Rows each of which takes the short way when it is alone in its call, and a text of the other way's statement, which does not run then. */
  alone?: { rows(world: World, tenant: Tenant): object[] | Promise<object[]>; other: string };
  /** What the answers hold at least, in their order. Without it there must be one at least. */
  answers?: readonly object[];
  /** Why a row concerns all workspaces: then their rows are not called apart, and each may still have only its own. */
  ofAll?: string;
  /** Why there is one answer to the whole call: then the answers are not compared with those to each workspace's rows. */
  oneAnswer?: string;
  /** Why it may walk a table: then its plan is not judged. */
  walks?: string;
  /** Why it reads all partitions of a table beside each other, in the order of an index. */
  merges?: string;
  /** Why a second call with `again` answers otherwise. It must write nothing all the same. */
  answersAgain?: string;
  /** Why it is never called with `again`. */
  neverAgain?: string;
};

const THREE = [0, 1, 2] as const;
const PEOPLE = ["+15551230001", "+15551230002", "+15551230003"] as const;

const IN_A_TRANSACTION = "it is called as a step of a verb's transaction, which is not repeated by itself";
const MAINTENANCE = "maintenance, in bounded pieces";
const RARE = "when a limit is read: all accounts, which are few";
const OPERATOR = "a rare read of the operator";

// ---- What examples are prepared with

const CONTACT_WRITE = {
  fields: { name: "Ana" },
  attributes: { city: "Recife" },
  consent: "opted_in",
  source: "client",
};

const NOT_OWNED = { code: "thread_not_owned", provider: { code: 131_070 } };

/** Of what comes while another responder owns the conversation. */
const COPY = { handled_by: "other" } as const;

const NO_UUID = "00000000-0000-0000-0000-000000000000";
/** An attempt as it is stored. */
const ATTEMPT = {
  n: 1,
  started_at: AT,
  duration_ms: 1,
  status_code: 200,
  outcome: "succeeded",
  error: null,
  response: null,
};
const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const SEARCH = {
  filter: [
    { do: "last_inbound_exists", at: 0 },
    { do: "not", of: 1 },
  ],
  values: [null],
};

/** The tenant's contact as a process of an earlier version leaves it. */
const unnamed = (world: World, { workspace, contact }: Tenant): Promise<Row[]> =>
  world.query("update contact set is_named = false where workspace_id = $1 and id = $2", [workspace, contact]);

/** Three messages to people of these numbers, accepted; their queue rows, in order. */
/** An upload that a message has used, and a file that no media names. */
async function media(world: World, tenant: Tenant): Promise<void> {
  const { workspace, contact } = tenant;
  const [used, orphan, id] = [newUuid(NOW), newUuid(NOW), newUuid(NOW)];
  await world.query(
    `insert into media_file (workspace_id, id, sha256, size, state, sweep_at)
     values ($1, $2, '', 1, 'stored', $4), ($1, $3, '', 1, 'arriving', $4)`,
    [workspace, used, orphan, AT],
  );
  await world.query(
    `insert into media (workspace_id, id, source, status, type, file_id, created_at, used_at)
     values ($1, $2, 'upload', 'available', 'image', $3, $4, $4)`,
    [workspace, id, used, AT],
  );
  await world.query(
    "insert into media_use (workspace_id, media_id, message_id, contact_id, used_at) values ($1, $2, $3, $4, $5)",
    [workspace, id, newUuid(NOW), contact, AT],
  );
}

async function accepted(world: World, tenant: Tenant, phones: readonly string[] = PEOPLE): Promise<Row[]> {
  const rows = phones.map((phone) => acceptRow(tenant, { phone }));
  await world.call("accept_messages", rows);
  return await world.query(
    "select slot, lane, seq, message_id, recipient from dispatch where workspace_id = $1 and message_id = any($2) order by seq",
    [tenant.workspace, rows.map(({ id }) => id)],
  );
}

const intents = (tenant: Tenant, sends: readonly Row[]) =>
  sends.map(({ slot, seq, message_id }) => ({
    ...intentRow({ slot, seq }, tenant.workspace, message_id),
    attempt: 0,
    state: 0,
    asked: false,
  }));

/** The same, with an attempt begun. */
async function begun(world: World, tenant: Tenant, phones: readonly string[] = PEOPLE): Promise<Row[]> {
  const sends = await accepted(world, tenant, phones);
  await world.call("begin_sends", intents(tenant, sends));
  return sends;
}

const ofNumber = ({ workspace, number }: Tenant, message_id: unknown) => ({
  workspace_id: workspace,
  phone_number_id: number,
  message_id,
});

const ARGENTINE = { phone: "+5491112345678", phone_loose: "541112345678" };

/** Marketing to a number, and another form of it, which only evidence can join, opted out since. */
async function heldBack(world: World, tenant: Tenant): Promise<Row[]> {
  await accepted(world, tenant, [`+${ARGENTINE.phone_loose}`]);
  const row = acceptRow(tenant, { ...ARGENTINE, category: "marketing" });
  await world.call("accept_messages", [row]);
  await world.query("update contact set marketing_consent = 'opted_out' where workspace_id = $1 and phone = $2", [
    tenant.workspace,
    `+${ARGENTINE.phone_loose}`,
  ]);
  return await world.query("select slot, lane, seq, message_id, recipient from dispatch where message_id = $1", [
    row.id,
  ]);
}

/** A person who has written, to whom free-form texts go: one that takes the conversation from another responder, and one that does not. */
async function freeForm(world: World, tenant: Tenant, phone: string): Promise<AcceptRow[]> {
  await accepted(world, tenant, [phone]);
  await world.query(
    `update conversation set last_inbound_at = $2 where workspace_id = $1
       and contact_id = (select c.id from contact c where c.workspace_id = $1 and c.phone = $3)`,
    [tenant.workspace, AT, phone],
  );
  const free = {
    phone,
    new_contact_id: null,
    type: "text",
    template_id: null,
    template_revision: null,
    category: null,
  };
  return [acceptRow(tenant, free), acceptRow(tenant, { ...free, key: "f7", take: true })];
}

/** Another responder owns the conversations of every person. */
const ownedByOthers = (world: World, { workspace }: Tenant): Promise<Row[]> =>
  world.query("update conversation set owner_role = 'other', owner_since = $2, owner_at = $2 where workspace_id = $1", [
    workspace,
    AT,
  ]);

/** A portfolio of the tenant's that may reach so many people, with people whom it has reached, one of them a day ago and one in vain. */
async function portfolio(world: World, { workspace, account }: Tenant, most: number): Promise<string> {
  const name = `portfolio-${most}-${workspace}`;
  await world.query("update business_account set portfolio_id = $3 where workspace_id = $1 and id = $2", [
    workspace,
    account,
    name,
  ]);
  await world.query("insert into portfolio_limit (portfolio_id, most, used, updated_at) values ($1, $2, 3, $3)", [
    name,
    most,
    AT,
  ]);
  const minute = Math.floor(NOW / 60_000);
  const [one, two] = [newUuid(NOW), newUuid(NOW)];
  for (const [at, message] of [
    [minute - 1_500, one],
    [minute - 10, two],
    [minute - 5, null],
  ])
    await world.query(
      "insert into portfolio_recipient (portfolio_id, recipient, minute, message_id) values ($1, $2, $3, $4)",
      [name, newUuid(NOW), at, message],
    );
  await world.query(
    `insert into portfolio_return (portfolio_id, message_id, recipient, at)
     select r.portfolio_id, r.message_id, r.recipient, $2 from portfolio_recipient r where r.portfolio_id = $1 and r.message_id = $3`,
    [name, AT, two],
  );
  return name;
}

/** What a callback says of the tenant's template, and of its account. */
async function said(world: World, { workspace }: Tenant): Promise<void> {
  const insert = `insert into provider_notice (workspace_id, digest, created_at, provider_template_id, kind, current, event_due)
    values ($1, $2, $3, $4, $5, $5, $6)`;
  await world.query(insert, [workspace, Buffer.from("template"), AT, "1", "flagged", AT]);
  await world.query(insert, [workspace, Buffer.from("account"), AT, null, null, null]);
}

/** Signups for each thing that a sweep does: one that should have ended, one with secrets to erase, one to delete. */
/** One whose task has gone, and one that ended, with an error. */
async function imports(world: World, { workspace }: Tenant): Promise<void> {
  for (const ended of [null, AT]) {
    const id = newUuid(NOW);
    await world.query(
      `insert into contact_import (workspace_id, id, status, format, mapping, total_bytes, bytes, lines, rows, created, updated,
         failed, job_id, created_at, updated_at, completed_at)
       values ($1, $2, $3, 'csv', '{}', 9, 0, 1, 0, 0, 0, 0, $4, $5, $5, $6)`,
      [workspace, id, ended === null ? "running" : "completed", newUuid(NOW), AT, ended],
    );
    await world.query(
      `insert into contact_import_error (workspace_id, import_id, row_number, line, code, detail)
       values ($1, $2, 1, 2, 'invalid_row', 'The row has no phone number.')`,
      [workspace, id],
    );
  }
}

async function signup(world: World, { workspace }: Tenant): Promise<void> {
  for (const [status, has_secrets] of [
    ["running", true],
    ["failed", true],
    ["completed", false],
  ])
    await world.query(
      `insert into embedded_signup (workspace_id, id, status, done, code_at, has_secrets, tries, next_try_at, deadline_at, sweep_at,
         created_at, updated_at) values ($1, $2, $3, '[]', $5, $4, 0, $5, $5, $5, $5, $5)`,
      [workspace, newUuid(NOW), status, has_secrets, AT],
    );
}

/** The provider's refusal of marketing to a person who stopped it. */
const STOPPED = { code: "recipient_opted_out", provider: { code: 131_050 } };

const results = (tenant: Tenant, sends: readonly Row[], outcomes: readonly string[]) =>
  sends.map(({ slot, seq, lane, message_id, recipient }, index) => ({
    slot,
    seq,
    lane,
    recipient,
    message_id,
    workspace_id: tenant.workspace,
    worker: WORKER,
    attempt: 1,
    outcome: outcomes[index],
    at: AT,
    provider_message_id: outcomes[index] === "accepted" ? `wamid.out.${index}` : null,
    error: null,
    due: outcomes[index] === "retry" || outcomes[index] === "unknown" ? AT : null,
  }));

/** The same, accepted by the provider as `wamid.out.0` to `wamid.out.2`. */
async function sent(world: World, tenant: Tenant): Promise<Row[]> {
  const sends = await begun(world, tenant);
  await world.call("settle_sends", results(tenant, sends, ["accepted", "accepted", "accepted"]));
  return sends;
}

/** Messages that take conversations over, to three others, whose attempts have begun. */
async function taking(world: World, tenant: Tenant): Promise<Row[]> {
  const sends = await begun(
    world,
    tenant,
    THREE.map((index) => `+1555127000${index}`),
  );
  await world.query("update message set type = 'text', takes_thread = true where workspace_id = $1 and id = any($2)", [
    tenant.workspace,
    sends.map(({ message_id }) => message_id),
  ]);
  return sends;
}

/** Deliveries of three events, waiting at the tenant's endpoint, which keeps their order. */
async function delivering(world: World, tenant: Tenant): Promise<Row[]> {
  await world.query("update webhook_endpoint set ordered = true where workspace_id = $1", [tenant.workspace]);
  await accepted(world, tenant);
  return await world.query(
    `select slot, lane, seq, workspace_id, delivery_id, event_id, conversation from deliver
     where workspace_id = $1 and seq > $2 order by seq limit 3`,
    [tenant.workspace, world.before.deliver],
  );
}

/** The same, each of which failed and was asked for by a replay; their rows of that queue. */
async function redelivering(world: World, tenant: Tenant): Promise<Row[]> {
  const rows = await delivering(world, tenant);
  const ids = rows.map((row) => row["delivery_id"]);
  await world.query(
    `insert into delivery (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, created_at, attempts)
     select q.workspace_id, q.delivery_id, q.event_id, $2, 'contact_created', 'pending', 13, $3, '[]'
     from deliver q where q.workspace_id = $1 and q.delivery_id = any($4)`,
    [tenant.workspace, tenant.endpoint, AT, ids],
  );
  return await world.query(
    `insert into redeliver (slot, lane, workspace_id, delivery_id, event_id, conversation, replay_id)
     select q.slot, q.lane, q.workspace_id, q.delivery_id, q.event_id, q.conversation, $1
     from deliver q where q.workspace_id = $1 and q.delivery_id = any($2) order by q.seq
     returning slot, lane, seq, workspace_id, delivery_id, event_id, conversation`,
    [tenant.workspace, ids],
  );
}

/** Three media that are available; their ids. */
async function availableMedia(world: World, { workspace }: Tenant): Promise<string[]> {
  const ids = THREE.map(() => newUuid(NOW));
  await world.query(
    `with file as (
       insert into media_file (workspace_id, id, sha256, size, state) select $1, id, sha256(id::text::bytea), 9, 'stored' from unnest($2::uuid[]) id
       returning id)
     insert into media (workspace_id, id, source, status, type, file_id, created_at, used_at)
     select $1, id, 'upload', 'available', 'image', id, $3, $3 from file`,
    [workspace, ids, AT],
  );
  return ids;
}

/** Three files that people have sent; the rows of their queue. */
async function fetches(world: World, tenant: Tenant): Promise<Row[]> {
  const rows = THREE.map((index) =>
    receiveRow(tenant, PEOPLE[index] ?? "", `wamid.file.${index}`, withFile(`file.${index}`)),
  );
  await world.call("take_reports", rows);
  return await world.query(
    "select slot, lane, seq, workspace_id, media_id from fetching where workspace_id = $1 and seq > $2 order by seq",
    [tenant.workspace, world.before.fetching],
  );
}
const withFile = (provider_media_id: string) => ({
  type: "image",
  content: {},
  files: [{ id: newUuid(NOW), provider_media_id, type: "image", mime_type: "image/jpeg", filename: null }],
});

/** Three callbacks, stored; their queue rows. */
async function callbacks(world: World, { numberLane }: Tenant): Promise<Row[]> {
  const ids = THREE.map(() => newUuid(NOW));
  await world.call(
    "store_callbacks",
    ids.map((id) => ({ id, lane: numberLane, body: "e30=" })),
  );
  return await world.query("select slot, lane, seq, callback_id from ingest where callback_id = any($1) order by seq", [
    ids,
  ]);
}

const finished = (rows: readonly Row[], quarantined: (index: number) => object) =>
  rows.map((row, index) => ({
    ...row,
    due: null,
    quarantine: [{ id: newUuid(NOW), detail: null, provider_account_id: null, change: null, ...quarantined(index) }],
  }));

/** The same, set aside: the provider's number had no owner. Ids of quarantine. */
async function unowned(world: World, tenant: Tenant, reason = "unowned"): Promise<string[]> {
  const rows = finished(await callbacks(world, tenant), () => ({
    reason,
    provider_phone_number_id: `pn-${tenant.number}`,
  }));
  await world.call("finish_ingest", rows);
  return rows.flatMap(({ quarantine }) => quarantine.map(({ id }) => id));
}

/** Three tasks; their tickets. */
async function jobs(world: World, { workspace, numberLane }: Tenant): Promise<Row[]> {
  const ids = THREE.map(() => newUuid(NOW));
  await world.query(
    "insert into job (workspace_id, id, kind, payload, created_at) select $1, id, 'probe', '{}', $3 from unnest($2::uuid[]) id",
    [workspace, ids, AT],
  );
  return await world.query(
    `insert into task (slot, lane, workspace_id, job_id) select $3, $4, $1, id from unnest($2::uuid[]) id
     returning slot, seq, workspace_id, job_id`,
    [workspace, ids, slotOf(numberLane), numberLane],
  );
}

/** An API key of the workspace: its id, and the digest in hex. */
async function apiKey(world: World, { workspace }: Tenant): Promise<{ id: string; digest: string }> {
  const id = newUuid(NOW);
  const digest = id.replaceAll("-", "");
  await world.query(
    `with way as (insert into key_digest (digest, workspace_id, api_key_id) values (decode($3, 'hex'), $1, $2))
     insert into api_key (workspace_id, id, name, scopes, hint, digest, created_at)
     values ($1, $2, 'shop', '{*}', 'abcd', decode($3, 'hex'), $4)`,
    [workspace, id, digest, AT],
  );
  return { id, digest };
}

/** Statuses of messages that are not known yet, due to be looked at. */
async function parked(world: World, { workspace, number }: Tenant, count: number): Promise<void> {
  await world.query(
    `insert into parked_status (workspace_id, phone_number_id, provider_message_id, bit, at, received_at, look_at)
     select $1, $2, 'wamid.parked.' || n, 4, $4, $4::timestamptz + n * interval '1 microsecond', $4
     from generate_series(1, $3::int) n`,
    [workspace, number, count, AT],
  );
}

const paymentRow = ({ workspace, number }: Tenant, providerMessageId: string, status: string) => ({
  workspace_id: workspace,
  phone_number_id: number,
  provider_message_id: providerMessageId,
  digest: Buffer.from(status).toString("hex"),
  reference: "order-17",
  status,
  at: AT,
  callback_id: newUuid(NOW),
});

/** Payments of messages that are not known yet, due to be looked at. */
async function parkedPayments(world: World, { workspace, number }: Tenant, count: number): Promise<void> {
  await world.query(
    `insert into parked_payment
       (workspace_id, phone_number_id, provider_message_id, digest, reference, status, at, received_at, look_at)
     select $1, $2, 'wamid.parked.' || n, 'd', 'order-17', 'captured', $4, $4, $4 from generate_series(1, $3::int) n`,
    [workspace, number, count, AT],
  );
}

const placeOf = ({ numberLane }: Tenant) => ({ slot: slotOf(numberLane), lane: numberLane });

/** Messages to two people, one too many, and once more to the first, in a portfolio with room for two. */
async function limitedRows(world: World, tenant: Tenant): Promise<object[]> {
  const name = await portfolio(world, tenant, 3);
  return [...PEOPLE, PEOPLE[0]].map((phone) => acceptRow(tenant, { portfolio: name, phone, new_contact_id: null }));
}

/** People who are counted for these messages. */
async function countedFor(world: World, tenant: Tenant, sends: readonly Row[]): Promise<void> {
  for (const { message_id } of sends)
    await world.query(
      "insert into portfolio_recipient (portfolio_id, recipient, minute, message_id) values ($1, $2, $3, $2)",
      [`portfolio of ${tenant.workspace}`, message_id, Math.floor(NOW / 60_000)],
    );
}

/** The reads that every queue has. `fill` puts rows of the tenant into it and gives their lane. */
function queueReads(
  table: keyof Numbers,
  fill: (world: World, tenant: Tenant) => Promise<{ slot: number; lane: number }>,
): Record<string, HotExample> {
  return {
    [`${table}_tail`]: {
      rows: async (world, tenant) => {
        const { slot } = await fill(world, tenant);
        return [{ slot, lo: world.before[table], most: 1_000, seen: null }];
      },
    },
    [`${table}_fresh`]: {
      rows: async (world, tenant) => [{ ...(await fill(world, tenant)), lo: world.before[table], most: 200 }],
    },
    [`${table}_due`]: {
      rows: async (world, tenant) => {
        const { slot, lane } = await fill(world, tenant);
        await world.query(`update ${table} set due = $2 where slot = $1 and seq > $3`, [slot, AT, world.before[table]]);
        return [{ slot, lane, due: "-infinity", seq: 0 }];
      },
    },
    [`${table}_lanes`]: { rows: async (world, tenant) => [{ slot: (await fill(world, tenant)).slot }] },
    [`${table}_oldest`]: { rows: async (world, tenant) => [{ slot: (await fill(world, tenant)).slot, most: 100 }] },
  };
}

const erased = (world: World, workspace: string, contact: string) =>
  world.query("insert into erased_contact (workspace_id, id, person, erased_at) values ($1, $2, $2, $3)", [
    workspace,
    contact,
    AT,
  ]);
const then = async <T>(done: Promise<unknown>, value: T): Promise<T> => {
  await done;
  return value;
};

// ---- The table

export const HOT_EXAMPLES: Record<string, HotExample> = {
  ...queueReads("dispatch", (world, tenant) => then(accepted(world, tenant), placeOf(tenant))),
  ...queueReads("deliver", (world, tenant) =>
    then(delivering(world, tenant), { slot: slotOf(tenant.endpointLane), lane: tenant.endpointLane }),
  ),
  ...queueReads("redeliver", (world, tenant) =>
    then(redelivering(world, tenant), { slot: slotOf(tenant.endpointLane), lane: tenant.endpointLane }),
  ),
  ...queueReads("ingest", (world, tenant) => then(callbacks(world, tenant), placeOf(tenant))),
  ...queueReads("fetching", async (world, tenant) => {
    const [row] = await fetches(world, tenant);
    return { slot: Number(row?.["slot"]), lane: Number(row?.["lane"]) };
  }),
  ...queueReads("task", (world, tenant) => then(jobs(world, tenant), placeOf(tenant))),

  // A send, from accept to its report.
  accept_messages: {
    rows: async (world, tenant) => {
      const [, second, third] = (await accepted(world, tenant)).map(({ message_id }) => String(message_id));
      await heldBack(world, tenant);
      const free = await freeForm(world, tenant, "+15551290001");
      await ownedByOthers(world, tenant);
      return [
        ...[
          { phone: "+15551240000" },
          { phone: "+15551240001", reply_to: second },
          { phone: PEOPLE[2], reply_to: third },
        ].map((row, index) => acceptRow(tenant, { public_id: `msg_${index}`, key: `0${index}`, ...row })),
        acceptRow(tenant, { ...ARGENTINE, category: "marketing" }),
        ...free,
        ...(await limitedRows(world, tenant)),
        acceptRow(tenant, {
          phone: "+15551241000",
          public_id: "msg_with_media",
          media: await availableMedia(world, tenant),
        }),
        acceptRow(tenant, { phone: "+15551241001", public_id: "msg_lacks_media", media: [newUuid(NOW)] }),
      ];
    },
    answers: [
      { outcome: "accepted" },
      { outcome: "reference_not_found_reply_to" },
      { outcome: "accepted" },
      { outcome: "recipient_opted_out" },
      { outcome: "thread_not_owned" },
      { outcome: "accepted" },
      ...["accepted", "accepted", "messaging_limit_reached", "accepted"].map((outcome) => ({ outcome })),
      { outcome: "accepted" },
      { outcome: "media_not_found" },
    ],
    alone: {
      rows: async (world, tenant) => {
        const known = { phone: PEOPLE[0], new_contact_id: null };
        await accepted(world, tenant, [ARGENTINE.phone, known.phone]);
        const [, takes] = await freeForm(world, tenant, known.phone);
        const name = await portfolio(world, tenant, 250);
        const [contact] = await world.query("select id from contact where workspace_id = $1 and phone = $2", [
          tenant.workspace,
          known.phone,
        ]);
        return [
          acceptRow(tenant, { contact_id: String(contact?.["id"]), new_contact_id: null }),
          acceptRow(tenant, known),
          acceptRow(tenant, { phone: known.phone }),
          acceptRow(tenant, { ...ARGENTINE, category: "marketing", key: "a1" }),
          acceptRow(tenant, { ...known, portfolio: name, key: "a2" }),
          takes as AcceptRow,
        ];
      },
      other: "decided as materialized",
    },
    answersAgain: "the key names the message by now, and a contact is created once, so that the mask is empty",
  },
  read_settled: {
    rows: async (world, tenant) =>
      (await sent(world, tenant)).map(({ message_id }) => ({ workspace_id: tenant.workspace, id: message_id })),
    answers: [{ settled: true }, { settled: true }, { settled: true }],
  },
  decide_public_ids: {
    rows: async (world, tenant) => {
      const [, second, third] = await sent(world, tenant);
      const [waiting] = await accepted(world, tenant, [PEOPLE[0] as string]);
      return [waiting, second, third].map((row, n) => ({
        workspace_id: tenant.workspace,
        message_id: row?.["message_id"],
        minted_id: `wamid.minted.${n}`,
      }));
    },
    answers: [{ public_id: "wamid.minted.0", minted: true }, { minted: false }, { minted: false }],
  },
  read_accepted: {
    rows: async (world, tenant) =>
      (await sent(world, tenant)).map(({ message_id }) => ({ workspace_id: tenant.workspace, id: message_id })),
    answers: THREE.map(() => ({ outbound: true })),
  },
  judge_messages: {
    rows: async (world, tenant) => {
      const [, second] = await accepted(world, tenant);
      await heldBack(world, tenant);
      const to = { new_contact_id: undefined };
      return [
        acceptRow(tenant, { ...to, phone: PEOPLE[0] }),
        acceptRow(tenant, { ...to, ...ARGENTINE, category: "marketing", template_revision: 7 }),
        acceptRow(tenant, {
          ...to,
          phone: PEOPLE[1],
          type: "text",
          template_id: null,
          reply_to: second?.message_id as string,
        }),
      ];
    },
    answers: [
      { refusals: [] },
      { refusals: ["stale_template", "recipient_opted_out"] },
      { refusals: ["window_closed"] },
    ],
  },
  count_backlog: {
    rows: async (world, tenant) => {
      const [row] = await accepted(world, tenant);
      return [{ slot: row?.slot, lane: row?.lane, most: 3 }];
    },
    answers: [{ waiting: 3 }],
  },
  begin_sends: {
    rows: async (world, tenant) => {
      const sends = [...(await accepted(world, tenant)), ...(await heldBack(world, tenant))];
      const limited = await accepted(world, tenant, ["+15551280001"]);
      const free = await freeForm(world, tenant, "+15551290001");
      await world.call("accept_messages", free);
      const texts = await world.query(
        "select slot, lane, seq, message_id, recipient from dispatch where message_id = any($1) order by seq",
        [free.map(({ id }) => id)],
      );
      await ownedByOthers(world, tenant);
      const [uploaded = "", missing = "", gone = ""] = await availableMedia(world, tenant);
      const files = [uploaded, missing, gone].map((id, index) =>
        acceptRow(tenant, { phone: `+1555129100${index}`, key: `f${index}`, media: [id] }),
      );
      await world.call("accept_messages", files);
      await world.query("delete from media where workspace_id = $1 and id = $2", [tenant.workspace, gone]);
      await world.query(
        `insert into media_at_provider (workspace_id, media_id, phone_number_id, provider_media_id, uploaded_at, expires_at)
         values ($1, $2, $3, '77', $4, $5)`,
        [tenant.workspace, uploaded, tenant.number, AT, LATER],
      );
      const withMedia = await world.query(
        "select slot, lane, seq, message_id, recipient from dispatch where message_id = any($1) order by seq",
        [files.map(({ id }) => id)],
      );
      return [
        ...intents(tenant, sends),
        ...intents(tenant, limited).map((row) => ({ ...row, portfolio: `portfolio of ${tenant.workspace}` })),
        ...intents(tenant, texts),
        ...intents(tenant, withMedia),
      ];
    },
    alone: {
      rows: async (world, tenant) => {
        const [sent, counted] = await accepted(world, tenant);
        const [, takes] = await freeForm(world, tenant, "+15551290001");
        await world.call("accept_messages", [takes as AcceptRow]);
        const texts = await world.query("select slot, seq, message_id from dispatch where message_id = $1", [
          takes?.id,
        ]);
        const name = await portfolio(world, tenant, 250);
        await world.query(
          `insert into portfolio_recipient (portfolio_id, recipient, minute) values ($1, recipient_digest($2), $3)`,
          [name, PEOPLE[1].slice(1), Math.floor(NOW / 60_000)],
        );
        const [limited] = intents(tenant, [counted as Row]);
        return [...intents(tenant, [sent as Row, ...texts]), { ...limited, portfolio: name }];
      },
      other: "given as materialized",
    },
    answers: ["go", "go", "go", "opted_out", "uncounted", "not_owned", "go", "go", "needs_media", "no_media"].map(
      (outcome) => ({ outcome }),
    ),
  },
  dispatch_numbered: {
    rows: async (world, tenant) => (await begun(world, tenant)).map(({ slot, seq }) => ({ slot, seq })),
  },
  dispatch_started: {
    rows: async (world, tenant) => (await begun(world, tenant)).map(({ slot, seq }) => ({ slot, seq })),
  },
  settle_sends: {
    rows: async (world, tenant) => {
      const others = THREE.map((index) => `+1555125000${index}`);
      const sends = [...(await begun(world, tenant)), ...(await begun(world, tenant, others))];
      await countedFor(world, tenant, sends);
      const outcomes = ["accepted", "failed", "unknown", "retry", "expired", "failed"];
      const said = [{ wa_id: "15551230001", takes_thread: true }, { error: STOPPED }, {}, {}, {}, { error: NOT_OWNED }];
      // Answers that are lost, of which one is known to have been an acceptance.
      const lost = await taking(world, tenant);
      await world.call("take_reports", [{ ...reportRow(tenant, "wamid.lost"), message_id: lost[0]?.["message_id"] }]);
      return [
        ...results(tenant, sends, outcomes).map((row, index) => ({ ...row, ...said[index] })),
        ...results(tenant, lost, ["unknown", "unknown", "unknown"]),
      ];
    },
    answers: [true, true, false, false, true, true, true, false, false].map((done) => ({ done })),
    alone: {
      rows: async (world, tenant) => {
        const sends = await begun(world, tenant);
        return results(tenant, sends, ["accepted", "accepted", "accepted"]).map((row, index) => ({
          ...row,
          ...[{}, { wa_id: "15551230002" }, { attempt: 0 }][index],
        }));
      },
      other: "decided as materialized",
    },
    answersAgain: "events are written once, so that no slot gets work and the mask is empty",
  },
  dispatch_defer: {
    rows: async (world, tenant) => deferred(tenant, await accepted(world, tenant)),
  },
  dispatch_held: {
    rows: async (world, tenant) => {
      await world.call("dispatch_defer", deferred(tenant, await accepted(world, tenant)));
      return [{ slot: slotOf(tenant.numberLane) }];
    },
  },
  dispatch_unhold: {
    rows: async (world, tenant) => {
      const rows = deferred(tenant, await accepted(world, tenant));
      await world.call("dispatch_defer", rows);
      return rows.map(({ slot, lane, workspace_id, key, due }) => {
        const owner = { worker: WORKER, epoch: 1 };
        return { slot, lane, workspace_id, key, until: due, ...owner };
      });
    },
  },
  take_history: {
    rows: (_, tenant) => [
      pastRow(tenant, PEOPLE[0], "wamid.past.1", {}),
      pastRow(tenant, PEOPLE[1], "wamid.past.2", {
        outbound: false,
        seen: 0,
        rank: 0,
        reply_to_provider_id: "wamid.past.1",
      }),
      pastRow(tenant, PEOPLE[2], "wamid.past.3", { type: "unsupported", is_placeholder: true }),
      pastRow(tenant, PEOPLE[2], "wamid.past.4", withFile("file.2")),
    ],
    answers: [{ taken: 4 }],
    oneAnswer: "how many are new",
    answersAgain: "none is new",
  },
  take_calls: {
    rows: (_, tenant) => PEOPLE.map((phone, index) => callRow(tenant, phone, `wacid.${index}`)),
    answers: THREE.map(() => ({})),
    answersAgain: "events are written once, so that no slot gets work and the mask is empty",
  },
  take_reports: {
    rows: async (world, tenant) => {
      await sent(world, tenant);
      await portfolio(world, tenant, 250);
      const failed = { ...reportRow(tenant, "wamid.out.2"), bit: REPORTS.failed.bit };
      const lost = await taking(world, tenant);
      await world.call("settle_sends", results(tenant, lost, ["unknown", "unknown", "unknown"]));
      return [
        // A failure whose reason comes later, of a message that reaches another device all the same.
        { ...failed, error: { code: "provider_error" } },
        { ...failed, error: { code: "undeliverable", provider: { code: 131_026 } } },
        // The first statuses of two people, and one that names another number than was written to.
        ...THREE.map((index) => ({
          ...reportRow(tenant, `wamid.out.${index}`),
          conversation: { id: "c1d2", origin: { type: "referral_conversion" } },
          profile_name: "Ana",
          ...claimOf(
            {
              waId: index < 2 ? `1555123000${index + 1}` : "15559990000",
              userId: index === 0 ? "US.FIRST" : null,
              parentUserId: null,
            },
            "",
          ),
        })),
        reportRow(tenant, "wamid.not.ours"),
        // Of a taken conversation, and two that say more when they are repeated.
        { ...reportRow(tenant, "wamid.lost"), message_id: lost[0]?.["message_id"] },
        { ...reportRow(tenant, "wamid.out.0"), pricing: { type: "regular" } },
        { ...reportRow(tenant, "wamid.not.ours"), pricing: { type: "regular" } },
        ...PEOPLE.map((phone, index) =>
          receiveRow(tenant, phone, `wamid.in.${index}`, {
            profile_name: "A",
            reply_to_provider_id: "wamid.out.0",
            words: "stop",
            default_consent: "opted_out",
          }),
        ),
        preferenceRow(tenant, PEOPLE[0], { consent: "opted_in", at: LATER, fields: { detail: "Resumed" } }),
        preferenceRow(tenant, "+15551260001", {}),
        { ...reportRow(tenant, "wamid.out.1"), bit: REPORTS.failed.bit, error: STOPPED },
        reportRow(tenant, "wamid.in.0"),
        reportRow(tenant, "wamid.echo.0"),
        echoRow(tenant, PEOPLE[0], "wamid.echo.0"),
        echoRow(tenant, "+15551260002", "wamid.echo.1"),
        echoRow(tenant, PEOPLE[0], "wamid.out.0"),
        receiveRow(tenant, PEOPLE[1], "wamid.group", {
          reply_to_provider_id: "wamid.out.0",
          provided: { group_id: "group-1" },
        }),
        handoverRow(tenant, PEOPLE[0], { owner: "other" }),
        handoverRow(tenant, "+15551260003", { from_agent: true }),
        receiveRow(tenant, PEOPLE[0], "wamid.copy", { provided: COPY }),
        receiveRow(tenant, PEOPLE[0], "wamid.own", {}),
        { ...echoRow(tenant, PEOPLE[2], "wamid.other"), provided: COPY },
        { ...reportRow(tenant, "wamid.other"), kind: "copy" },
        { ...reportRow(tenant, "wamid.out.0"), kind: "copy" },
        { ...reportRow(tenant, "wamid.out.0"), bit: REPORTS.failed.bit, error: NOT_OWNED },
        receiveRow(tenant, PEOPLE[0], "wamid.file", withFile("file.0")),
        { ...echoRow(tenant, PEOPLE[1], "wamid.file.echo"), ...withFile("file.1") },
      ];
    },
    answers: [
      { outcome: "reported" },
      { outcome: "repeated" },
      ...THREE.map(() => ({ outcome: "reported" })),
      { outcome: "parked" },
      { outcome: "reported" },
      { outcome: "repeated" },
      { outcome: "parked" },
      ...THREE.map(() => ({ outcome: "received" })),
      { outcome: "noted" },
      { outcome: "noted" },
      { outcome: "reported" },
      { outcome: "inbound_message" },
      { outcome: "parked" },
      { outcome: "received" },
      { outcome: "received" },
      { outcome: "repeated" },
      { outcome: "received" },
      { outcome: "noted" },
      { outcome: "noted" },
      { outcome: "received" },
      { outcome: "received" },
      { outcome: "received" },
      { outcome: "reported" },
      { outcome: "noted" },
      { outcome: "reported" },
      { outcome: "received" },
      { outcome: "received" },
    ],
    answersAgain: "what is repeated is said to be; callers treat it alike",
  },
  take_callbacks: {
    alone: {
      rows: async (world, tenant) => {
        await sent(world, tenant);
        const named = { user_id: "US.KNOWN", profile_name: "Ana" };
        await world.call("take_reports", [
          receiveRow(tenant, PEOPLE[0], "wamid.known.0", { profile_name: "Ana" }),
          receiveRow(tenant, PEOPLE[1], "wamid.known.1", named),
        ]);
        const statuses = [
          {},
          { wa_id: "15551230002" },
          { pricing: { type: "regular" }, conversation: { id: "c" } },
        ].map((more, index) => ({ ...reportRow(tenant, `wamid.out.${index}`), ...more }));
        const messages = [
          receiveRow(tenant, PEOPLE[0], "wamid.in.0", { words: "hi", reply_to_provider_id: "wamid.out.0" }),
          receiveRow(tenant, PEOPLE[1], "wamid.in.1", named),
        ];
        return [...statuses, ...messages].map((report) => ({
          id: newUuid(NOW),
          lane: tenant.numberLane + 64_000_000, // nothing of it is in the queue
          number: tenant.providerNumber,
          workspace_id: tenant.workspace,
          body: "e30=",
          reports: [report],
          hands: true,
        }));
      },
      other: "string_agg(btrim(x.reports::text",
    },
    rows: async (world, tenant) => {
      await sent(world, tenant);
      const callback = (lane: number, ...reports: object[]) => ({
        id: newUuid(NOW),
        lane,
        number: tenant.providerNumber,
        workspace_id: tenant.workspace,
        body: "e30=",
        reports,
      });
      const busy = tenant.numberLane;
      const lane = busy + 64_000_000; // nothing of it is in the queue
      await callbacks(world, tenant);
      return [
        callback(lane, reportRow(tenant, "wamid.out.0"), reportRow(tenant, "wamid.not.ours")),
        callback(busy, reportRow(tenant, "wamid.out.1")),
        callback(
          lane,
          receiveRow(tenant, PEOPLE[0], "wamid.in.0", { profile_name: "A", reply_to_provider_id: "wamid.out.0" }),
        ),
        callback(lane, { ...reportRow(tenant, "wamid.gone"), message_id: newUuid(NOW) }),
        callback(lane, preferenceRow(tenant, PEOPLE[0], {}), preferenceRow(tenant, "+15551260001", {})),
        callback(
          lane,
          handoverRow(tenant, PEOPLE[0], {}),
          receiveRow(tenant, PEOPLE[1], "wamid.copy", { provided: COPY }),
        ),
      ];
    },
    answers: [
      { outcome: "taken" },
      { outcome: "queued" },
      { outcome: "taken" },
      { outcome: "queued" },
      { outcome: "taken" },
      { outcome: "taken" },
    ],
    answersAgain: "what is repeated has no slots, and a lane with a callback in the queue takes none",
  },
  join_parked: {
    rows: async (world, tenant) => {
      await parked(world, tenant, 3);
      const [first] = await accepted(world, tenant);
      await world.query(
        "insert into provider_message (workspace_id, provider_message_id, message_id, created_at) values ($1, 'wamid.parked.1', $2, $3)",
        [tenant.workspace, first?.["message_id"], AT],
      );
      await world.query(
        "insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound) values ($1, 'wamid.parked.2', $2, $3, true)",
        [tenant.workspace, newUuid(NOW), AT],
      );
      return [{ up_to: AT }];
    },
    ofAll: "it looks at what is due of every workspace",
    answersAgain: "what was looked at is not due again",
  },
  trim_parked: {
    rows: async (world, tenant) => {
      await parked(world, tenant, 5_010);
      return [{ workspace_id: tenant.workspace, phone_number_id: tenant.number }];
    },
    answers: [{ trimmed: 10 }],
    answersAgain: "there is nothing left to delete",
  },

  take_payments: {
    rows: async (world, tenant) => {
      await sent(world, tenant);
      return ["pending", "captured", "captured"]
        .map((status) => paymentRow(tenant, "wamid.out.1", status))
        .concat(paymentRow(tenant, "wamid.not.ours", "failed"));
    },
    oneAnswer: "it answers which slots have work",
    answersAgain: "what was reported gives no slot more work",
  },
  join_payments: {
    rows: async (world, tenant) => {
      await parkedPayments(world, tenant, 3);
      const [first] = await accepted(world, tenant);
      await world.query(
        "insert into provider_message (workspace_id, provider_message_id, message_id, created_at) values ($1, 'wamid.parked.1', $2, $3)",
        [tenant.workspace, first?.["message_id"], AT],
      );
      return [{ up_to: AT }];
    },
    ofAll: "it looks at what is due of every workspace",
    oneAnswer: "it counts what it looked at",
    answersAgain: "what was looked at is not due again",
  },

  // Inbound, from the callback to the message.
  store_callbacks: {
    rows: (_, { numberLane }) => THREE.map(() => ({ id: newUuid(NOW), lane: numberLane, body: "e30=" })),
  },
  load_callbacks: {
    rows: async (world, tenant) => (await callbacks(world, tenant)).map(({ callback_id }) => ({ id: callback_id })),
    answers: THREE.map(() => ({ later: false })),
  },
  finish_ingest: {
    rows: async (world, tenant) =>
      finished(await callbacks(world, tenant), () => ({
        reason: "unowned",
        provider_phone_number_id: `pn-${tenant.number}`,
      })),
    answers: THREE.map(() => ({ done: true })),
  },
  find_owners: {
    rows: async (world, tenant) => {
      await world.call("claim_routes", claims(tenant));
      return [
        { provider_phone_number_id: `pn-${tenant.number}`, provider_account_id: null },
        { provider_phone_number_id: null, provider_account_id: `waba-${tenant.account}` },
      ];
    },
  },
  replay_quarantine: {
    rows: async (world, tenant) => {
      await unowned(world, tenant);
      return [{ provider_phone_number_id: `pn-${tenant.number}`, provider_account_id: null }];
    },
    answers: THREE.map(() => ({})),
    answersAgain:
      "what was put back into the queue is no longer set aside; its slots are read all the same, a second later",
  },
  replay_quarantined: {
    rows: async (world, tenant) => (await unowned(world, tenant)).slice(0, 1).map((id) => ({ id })),
    answers: [{ outcome: "replayed" }],
    neverAgain: IN_A_TRANSACTION,
  },
  replay_due: {
    rows: async (world, tenant) => {
      await unowned(world, tenant, "failed");
      await world.query("update quarantine set replay_at = $1 where replay_at is not null", [AT]);
      return [{ due: AT, most: 10 }];
    },
    ofAll: "it replays what is due, of every workspace",
    answersAgain:
      "what was put back into the queue is no longer set aside; its slots are read all the same, a second later",
  },
  replay_reason: {
    rows: async (world, tenant) => then(unowned(world, tenant), [{ reason: "unowned", most: 10 }]),
    ofAll: "the operator asks for all of a reason",
    walks: OPERATOR,
    neverAgain: IN_A_TRANSACTION,
  },
  get_quarantined: {
    rows: async (world, tenant) => (await unowned(world, tenant)).map((id) => ({ id })),
    answers: THREE.map(() => ({ reason: "unowned" })),
  },
  list_quarantine: {
    rows: async (world, tenant) => then(unowned(world, tenant), [{ before: null, most: 10, reason: null }]),
    ofAll: "it is the operator's list over all workspaces",
    walks: OPERATOR,
  },

  // Deliveries.
  endpoint_lanes: { rows: (_, { endpointLane }) => [{ lane: endpointLane }] },
  find_listeners: { rows: (_, { workspace }) => [{ workspace_id: workspace }], answers: [{ events: [["*"]] }] },
  next_of_erased: {
    rows: async (world, tenant) => {
      const [first] = await accepted(world, tenant);
      const [of] = await world.query("select contact_id from message where id = $1", [first?.["message_id"]]);
      return [{ workspace_id: tenant.workspace, contact_id: of?.["contact_id"], before: null, from_id: null }];
    },
    answers: [{ waits: true }],
    walks: "the messages of a person, of all months",
  },
  redact_messages: {
    rows: async (world, tenant) => {
      const [first] = await accepted(world, tenant);
      const [of] = await world.query("select contact_id from message where id = $1", [first?.["message_id"]]);
      const contact_id = of?.["contact_id"];
      return [{ workspace_id: tenant.workspace, contact_id, message_ids: [first?.["message_id"]] }];
    },
    answers: [{ redacted: 1 }],
    walks: "the messages of an erased person, of all months",
    answersAgain: "the messages are empty by then",
  },
  keep_erasure_progress: {
    rows: async (world, { workspace, contact }) => {
      await erased(world, workspace, contact);
      return [{ workspace_id: workspace, contact_id: contact, part: "first messages", place: null, whole: true }];
    },
    answers: [{}],
  },
  end_erasures: {
    rows: async (world, { workspace, contact }) => {
      await erased(world, workspace, contact);
      return [{ workspace_id: workspace, contact_id: contact }];
    },
    answers: [{}],
  },
  merge_named: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      const people = await world.query(
        "select id from contact where workspace_id = $1 and phone = any($2) order by id",
        [tenant.workspace, PEOPLE],
      );
      const [one, two] = people.map(({ id }) => id);
      return [{ workspace_id: tenant.workspace, contact_id: two, other_contact_id: one }];
    },
    answers: [{ outcome: "merged" }],
    neverAgain: IN_A_TRANSACTION,
  },
  erase_contacts: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      const [one] = await world.query("select id from contact where workspace_id = $1 and phone = $2", [
        tenant.workspace,
        PEOPLE[0],
      ]);
      return [{ workspace_id: tenant.workspace, contact_id: one?.["id"] }];
    },
    answers: [{}],
    neverAgain: IN_A_TRANSACTION,
  },
  erase_late: {
    rows: async (world, { workspace, contact }) => {
      await erased(world, workspace, contact);
      return [{ workspace_id: workspace, contact_id: contact }];
    },
    answers: [{}],
    walks: "evidence that waits, of few seconds",
  },
  cancel_messages: {
    rows: async (world, tenant) =>
      (await accepted(world, tenant)).map(({ message_id }) => ({ workspace_id: tenant.workspace, message_id })),
    answers: THREE.map(() => ({ canceled: true })),
    neverAgain: IN_A_TRANSACTION,
  },
  expire_sends: {
    rows: async (world, tenant) => {
      for (const { message_id } of await accepted(world, tenant))
        await world.query("update dispatch set expires_at = $2 where message_id = $1", [message_id, AT]);
      return [{ up_to: AT, error: { code: "expired" } }];
    },
    ofAll: "it ends messages of all workspaces",
    answers: THREE.map(() => ({})),
    answersAgain: "there is nothing left to end",
  },
  give_up_sends: {
    rows: async (world, tenant) => {
      for (const { message_id } of await accepted(world, tenant))
        await world.query("update dispatch set state = 2, due = $2 where message_id = $1", [message_id, AT]);
      await world.query("update phone_number set status = 'disconnected' where id = $1", [tenant.number]);
      return [{ up_to: AT }];
    },
    ofAll: "it gives up messages of all workspaces",
    walks: MAINTENANCE,
    answers: THREE.map(() => ({})),
    answersAgain: "there is nothing left to give up",
  },
  hold_marketing: {
    rows: async (world, tenant) => {
      const sends = await accepted(world, tenant);
      await world.query("update phone_number set marketing_stopped_until = $2 where id = $1", [tenant.number, LATER]);
      return sends.map(({ message_id }) => ofNumber(tenant, message_id));
    },
    answers: THREE.map(() => ({ verdict: "go" })),
  },
  judge_marketing: {
    rows: async (world, tenant) =>
      (await accepted(world, tenant)).map(({ message_id }) => ({ ...ofNumber(tenant, message_id), refused: true })),
    answers: [{ changed: true }, { changed: false }, { changed: false }],
    answersAgain: "the number's marketing is stopped already",
  },
  emit_events: {
    rows: (_, { workspace, account }) =>
      THREE.map(() => ({
        workspace_id: workspace,
        kind: "account_changed",
        contact_id: null,
        resource_id: account,
        state: {},
        conversation: account,
      })),
    answers: THREE.map(() => ({})),
    neverAgain: IN_A_TRANSACTION,
  },
  load_deliveries: {
    rows: async (world, tenant) => (await delivering(world, tenant)).map((row) => ({ ...row, body: true })),
    answers: THREE.map(() => ({ enabled: true, kind: "contact_created" })),
    alone: {
      rows: async (world, tenant) => {
        const loads: Row[] = (await delivering(world, tenant)).map((row) => ({
          ...row,
          joined: 0,
          body: true,
          contact_id: null,
        }));
        await world.query("update webhook_endpoint set ordered = false where workspace_id = $1", [tenant.workspace]);
        // One is about a message.
        await world.query(
          `update event e set message_id = m.id from message m
           where e.workspace_id = $1 and e.id = $2 and m.workspace_id = $1 and m.contact_id = e.contact_id`,
          [tenant.workspace, loads[0]?.["event_id"]],
        );
        return loads;
      },
      other: "with ordinality",
    },
  },
  read_feed: {
    rows: async (world, tenant) => {
      await delivering(world, tenant);
      // The transaction of the example has not ended, so that nothing of it is settled.
      await world.query("update event set xid = '3' where workspace_id = $1", [tenant.workspace]);
      const filters = { kind: null, message_id: null, contact_ids: null, numbers: null };
      const row = { workspace_id: tenant.workspace, era: 0, xid: "0", id: NO_UUID, lowest: NO_UUID, ...filters };
      return [{ ...row, most: 2, look: 100, budget_ms: 10_000 }];
    },
    answers: [{ events: [{ kind: "contact_created" }, { kind: "contact_created" }], more: true }],
    merges: "events of a transaction may be of any day",
  },
  waiting_deliveries: {
    rows: async (world, tenant) => {
      const [row] = await delivering(world, tenant);
      const ends = { lowest: NO_UUID, below: LAST_UUID, above: LAST_UUID, delivery_id: null, kind: null };
      return [
        {
          workspace_id: tenant.workspace,
          endpoint_id: tenant.endpoint,
          slot: row?.["slot"],
          lane: row?.["lane"],
          ...ends,
          most: 2,
          look: 100,
        },
      ];
    },
  },
  events_about: {
    rows: async (world, tenant) => {
      const [row] = await delivering(world, tenant);
      const [event] = await world.query("select contact_id from event where workspace_id = $1 and id = $2", [
        tenant.workspace,
        row?.["event_id"],
      ]);
      const about = { message_id: null, contact_ids: [event?.["contact_id"]], kind: null };
      const ends = { lowest: NO_UUID, below: LAST_UUID };
      return [{ workspace_id: tenant.workspace, ...about, ...ends, most: 2, look: 100, budget_ms: 10_000 }];
    },
    merges: "events of a message or a person may be of any day",
  },
  load_parts: {
    rows: async (world, tenant) =>
      (await delivering(world, tenant)).map(({ workspace_id, event_id }) => ({ workspace_id, id: event_id })),
    answers: THREE.map(() => ({ kind: "contact_created" })),
  },
  load_raw_callback: {
    rows: async (world, tenant) => (await callbacks(world, tenant)).map(({ callback_id }) => ({ id: callback_id })),
    answers: THREE.map(() => ({})),
  },
  load_events: {
    rows: async (world, tenant) =>
      (await delivering(world, tenant)).map(({ workspace_id, event_id }) => ({
        workspace_id,
        id: event_id,
        numbers: null,
      })),
    answers: THREE.map(() => ({ event: { kind: "contact_created" } })),
  },
  deliver_defer: {
    rows: async (world, tenant) => (await delivering(world, tenant)).map((row) => ({ ...row, key: null, due: AT })),
    answers: THREE.map(() => ({})),
  },
  deliver_advance: {
    rows: async (world, tenant) => await advancing(world, "deliver", await delivering(world, tenant)),
    answersAgain: "they are due by then, so that none is moved",
  },
  count_endpoints: {
    rows: () => [],
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
  },
  warn_endpoints: {
    rows: async (world, { workspace, endpoint }) => {
      await world.query("update webhook_endpoint set failing_since = now() - interval '30 hours' where id = $1", [
        endpoint,
      ]);
      return [{ workspace_id: workspace, endpoint_id: endpoint }];
    },
    answersAgain: "a workspace is warned once of a stage, so that no slot gets work and the mask is empty",
  },
  load_redeliveries: {
    rows: redelivering,
    answers: THREE.map(() => ({ enabled: true, kind: "contact_created", attempt: 13 })),
  },
  redeliver_defer: {
    rows: async (world, tenant) => (await redelivering(world, tenant)).map((row) => ({ ...row, key: null, due: AT })),
    answers: THREE.map(() => ({})),
  },
  redeliver_advance: {
    rows: async (world, tenant) => await advancing(world, "redeliver", await redelivering(world, tenant)),
    answersAgain: "they are due by then, so that none is moved",
  },
  redeliver_outcomes: {
    rows: async (world, tenant) =>
      (await redelivering(world, tenant)).map((row, index) => ({
        ...row,
        endpoint_id: tenant.endpoint,
        endpoint_version: 1,
        result: ["succeeded", "retry", "gone"][index],
        due: index === 0 ? null : AT,
        attempt: 1,
        entry: { ...ATTEMPT, n: 14 },
      })),
    answersAgain: "an endpoint is switched off once, so that no slot gets work and the mask is empty",
  },
  ask_redeliveries: {
    rows: async (world, tenant) => {
      const [failed, missing, waiting] = await delivering(world, tenant);
      await world.query(
        `insert into delivery (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, next_attempt_at, created_at, attempts)
         select q.workspace_id, q.delivery_id, q.event_id, $2, 'contact_created',
           case when q.delivery_id = $4 then 'failed' else 'pending' end, 1, $5, $3, '[]'
         from deliver q where q.workspace_id = $1 and q.delivery_id = any(array[$4, $6]::uuid[])`,
        [tenant.workspace, tenant.endpoint, AT, failed?.["delivery_id"], LATER, waiting?.["delivery_id"]],
      );
      await world.query("update deliver set due = $3 where workspace_id = $1 and delivery_id = $2", [
        tenant.workspace,
        waiting?.["delivery_id"],
        LATER,
      ]);
      return [failed, missing, waiting].map((row) => ({
        workspace_id: tenant.workspace,
        endpoint_id: tenant.endpoint,
        lane: tenant.endpointLane,
        delivery_id: row?.["delivery_id"],
        event_id: row?.["event_id"],
        replay_id: null,
        reopens: ["failed"],
        creates: true,
        advances: true,
        in_order: row === waiting,
        ahead: true,
      }));
    },
    answers: THREE.map(() => ({ outcome: "asked" })),
    neverAgain: IN_A_TRANSACTION,
  },
  deliver_outcomes: {
    rows: async (world, tenant) =>
      (await delivering(world, tenant)).map((row, index) => ({
        ...row,
        endpoint_id: tenant.endpoint,
        endpoint_version: 1,
        kind: "contact_created",
        created_at: AT,
        result: ["succeeded", "retry", "gone"][index],
        due: index === 0 ? null : AT,
        entry: ATTEMPT,
        record: true,
      })),
    answersAgain: "an endpoint is switched off once, so that no slot gets work and the mask is empty",
  },

  // Tasks.
  begin_tasks: { rows: (world, tenant) => jobs(world, tenant), answers: THREE.map(() => ({ verdict: "run" })) },
  end_tasks: {
    rows: async (world, tenant) =>
      (await jobs(world, tenant)).map(({ slot, seq, job_id }, index) => ({
        ...endTaskRow({ slot: Number(slot), seq: Number(seq) }, tenant.workspace),
        job_id,
        outcome: (["done", "failed", "later"] as const)[index],
        due: index === 2 ? AT : null,
      })),
    answers: THREE.map(() => ({})),
  },
  settle_fetches: {
    rows: async (world, tenant) =>
      (await fetches(world, tenant)).map(({ lane: _lane, ...row }, index) => ({
        ...row,
        outcome: index === 0 ? "ended" : "later",
        due: index === 0 ? null : AT,
        attempt: index,
        error: index === 2 ? { code: "media_failed" } : null,
      })),
    answers: THREE.map(() => ({})),
  },

  // Keys, audit, accounts and templates.
  authenticate_keys: {
    rows: async (world, tenant) => [{ digest: (await apiKey(world, tenant)).digest, limited_digest: "00" }],
    answers: [{ key_name: "shop" }],
  },
  touch_keys: {
    rows: async (world, tenant) => [
      { workspace_id: tenant.workspace, key_id: (await apiKey(world, tenant)).id, at: AT },
    ],
    oneAnswer: "it counts the rows",
  },
  record_activities: {
    rows: (_, { workspace }) =>
      THREE.map(() => ({
        workspace_id: workspace,
        id: newUuid(NOW),
        at: AT,
        actor_type: "system",
        actor_id: null,
        actor_name: null,
        action: "a.b",
        resource_type: null,
        resource_id: null,
        method: "GET",
        path: "/",
        request_id: "r",
        ip: null,
        user_agent: null,
        status: 200,
        code: null,
      })),
    oneAnswer: "it counts the rows",
  },
  list_workspaces: {
    rows: () => [{ before: null, most: 10 }],
    ofAll: "it is the operator's list over all workspaces",
    walks: OPERATOR,
  },
  reserve_recipients: {
    rows: async (world, tenant) => {
      const name = await portfolio(world, tenant, 3);
      const sends = await accepted(world, tenant, ["+15551270001", "+15551270002", "+15551270003"]);
      return sends.map(({ message_id }) => ({ workspace_id: tenant.workspace, message_id, portfolio: name }));
    },
    answers: ["counted", "counted", "full"].map((outcome) => ({ outcome })),
  },
  set_portfolio_limits: {
    rows: (_, { workspace, account }) => [
      {
        workspace_id: workspace,
        business_account_id: account,
        is_new: false,
        has_moved: false,
        is_known: true,
        most: 250,
      },
    ],
    walks: RARE,
    neverAgain: IN_A_TRANSACTION,
  },
  workspaces_of_portfolios: {
    rows: async (world, tenant) => [{ portfolio: await portfolio(world, tenant, 250) }],
    walks: RARE,
  },
  count_sent: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      const page = { workspace_id: tenant.workspace, lo: newUuid(NOW - 60_000), most: 500 };
      return [{ portfolio: await portfolio(world, tenant, 250), ...page }];
    },
    walks: "when a limit becomes known: the messages of a day, in pages",
  },
  due_accounts: {
    rows: () => [{ created_before: LATER, most: 10 }],
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
  },
  stale_limits: {
    rows: () => [{ before: LATER, most: 10 }],
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
  },
  mark_portfolios_full: {
    rows: (_, { workspace }) => [{ portfolio: `portfolio of ${workspace}`, until: LATER }],
  },
  read_headroom: {
    rows: async (world, tenant) => {
      await portfolio(world, tenant, 250);
      return [{ workspace_id: tenant.workspace, business_account_id: tenant.account }];
    },
    answers: [{ most: 250, used: 1 }],
  },
  count_rooms: {
    rows: async (world, tenant) => {
      await portfolio(world, tenant, 250);
      return [];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
  },
  senders_of_lanes: { rows: (_, { numberLane }) => [{ lane: numberLane }] },
  senders_of_workspaces: { rows: (_, { workspace }) => [{ workspace_id: workspace }] },
  claim_routes: {
    rows: (_, tenant) => claims(tenant),
    answers: [{ owner: "mine" }, { owner: "mine" }],
    neverAgain: IN_A_TRANSACTION,
  },
  held_elsewhere: {
    rows: async (world, tenant) => {
      await world.call("claim_routes", claims(tenant));
      return claims(tenant).map(({ workspace_id, kind, provider_id }) => ({ workspace_id, kind, provider_id }));
    },
    answers: [{ held: false }, { held: false }],
  },
  found_elsewhere: {
    rows: async (world, tenant) => {
      await world.call("claim_routes", claims(tenant));
      return claims(tenant).map(({ workspace_id, provider_id }) => ({ workspace_id, provider_id }));
    },
    answers: [{ elsewhere: false }, { elsewhere: false }],
  },
  sweep_signups: {
    rows: async (world, tenant) =>
      then(signup(world, tenant), [{ error: { code: "given_up" }, erase_at: LATER, delete_at: LATER }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to sweep",
  },
  sweep_imports: {
    rows: async (world, tenant) =>
      then(imports(world, tenant), [{ error: { code: "crashed" }, ended_before: LATER, begun_before: LATER }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to sweep",
  },
  sweep_media_files: {
    rows: async (world, tenant) => {
      await media(world, tenant);
      return [{ most: 100 }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to sweep",
  },
  retain_media: {
    rows: async (world, tenant) => {
      await media(world, tenant);
      return [{ bound: LATER, most: 100 }];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  sweep_replays: {
    rows: async (world, { workspace, endpoint }) => {
      await world.query(
        `insert into replay (workspace_id, id, webhook_endpoint_id, status, created_after, created_before, events, only_those, dry_run,
           place, job_id, created_at, updated_at)
         values ($1, $2, $3, 'running', $4, $4, '{*}', 'failed', false, $2, $2, $4, $4)`,
        [workspace, newUuid(NOW), endpoint, AT],
      );
      return [{ error: { code: "crashed" }, ended_before: LATER, begun_before: LATER }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to sweep",
  },
  disconnect_accounts: {
    rows: (_, { workspace, account }) => [
      { workspace_id: workspace, id: account, reason: "test", provider_event: null, with_event: true },
    ],
    answers: [{ changed: true }],
    neverAgain: IN_A_TRANSACTION,
  },
  restrict_accounts: {
    rows: (_, { workspace, account }) => [
      { workspace_id: workspace, id: account, restricted: true, reason: "test", provider_event: null },
    ],
    answers: [{ changed: true }],
    neverAgain: IN_A_TRANSACTION,
  },
  find_contacts: {
    rows: (_, { workspace }) => [
      { ...SEARCH, workspace_id: workspace, most: 10, walk_first: 100, most_candidates: 100, budget_ms: 10_000 },
    ],
  },
  changed_contacts: {
    rows: async (world, { workspace, contact }) => {
      // The transaction of the example has not ended, so that nothing of it is settled.
      await world.query("update contact set changed_in = '1' where workspace_id = $1 and id = $2", [
        workspace,
        contact,
      ]);
      return [{ ...SEARCH, workspace_id: workspace, era: 0, xid: "0", id: NO_UUID, most: 10, budget_ms: 10_000 }];
    },
  },
  count_contacts: {
    rows: (_, { workspace }) => [
      { ...SEARCH, workspace_id: workspace, before: null, most_candidates: 100, budget_ms: 10_000 },
    ],
    walks: "it counts all contacts of a workspace",
  },
  write_contacts: {
    rows: (_, { workspace }) =>
      ["15550007001", "15550007002"].map((phone) => ({
        ...CONTACT_WRITE,
        workspace_id: workspace,
        contact_id: newUuid(NOW),
        mode: "upsert",
        phone,
        e164: `+${phone}`,
      })),
    answers: [{ outcome: "created" }, { outcome: "created" }],
    neverAgain: IN_A_TRANSACTION,
  },
  empty_events: {
    rows: async (world, { workspace, account }) => {
      const state = JSON.stringify({ provider_event: "history", detail: { history: ["Hello"] } });
      await world.query(
        `insert into event (workspace_id, id, era, kind, sequence, resource_id, occurred_at, state, created_at)
         values ($1, $2, 0, 'account_changed', 1, $3, $4, $5, $4)`,
        [workspace, newUuid(NOW), account, AT, state],
      );
      return [{ others_until: undefined }];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
    answers: [{ more: false }],
    answersAgain: "there is nothing left to empty",
  },
  report_numbers: {
    rows: (_, { workspace, number }) => [{ workspace_id: workspace, id: number, changed: ["quality"] }],
    answers: [{}],
    neverAgain: IN_A_TRANSACTION,
  },
  upsert_templates: {
    rows: async (world, tenant) => {
      await said(world, tenant);
      const { workspace, account } = tenant;
      return [templateRow(workspace, account, { name: "new" }), templateRow(workspace, account, {})];
    },
    answers: [{ outcome: "changed" }, { outcome: "changed" }],
    neverAgain: IN_A_TRANSACTION,
  },
  find_templates: {
    rows: (_, { workspace, account }) => [
      { workspace_id: workspace, business_account_id: account, name: "hello", language: "en" },
    ],
    answers: [{ status: "approved" }],
  },

  // Maintenance.
  prune_jobs: {
    rows: async (world, tenant) => {
      await jobs(world, tenant);
      await world.query("update job set status = 'done', completed_at = $2 where workspace_id = $1", [
        tenant.workspace,
        AT,
      ]);
      return [{ before: LATER }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_kept_answer_contacts: {
    rows: async (world, { workspace, contact }) => {
      await world.query(
        "insert into kept_answer_contact (workspace_id, contact_id, digest, created_at) values ($1, $2, '\\x01', $3)",
        [workspace, contact, AT],
      );
      return [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_idempotency_keys: {
    rows: async (world, { workspace }) => {
      await world.query(
        "insert into idempotency_key (workspace_id, digest, fingerprint, created_at) values ($1, '\\x01', '\\x01', $2)",
        [workspace, AT],
      );
      return [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_provider_notices: {
    rows: async (world, tenant) => then(said(world, tenant), [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_erased_names: {
    rows: async (world, tenant) => {
      await world.query("insert into erased_name (workspace_id, digest, until, created_at) values ($1, $2, $3, $3)", [
        tenant.workspace,
        newUuid(NOW),
        AT,
      ]);
      return [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_provider_messages: {
    rows: async (world, tenant) => then(sent(world, tenant), [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_portfolio_recipients: {
    rows: async (world, tenant) => then(portfolio(world, tenant, 250), [{ lo: "(0,0)", hi: "(256,0)", bound: AT }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_portfolio_returns: {
    rows: async (world, tenant) => then(portfolio(world, tenant, 250), [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_parked_deliveries: {
    rows: async (world, tenant) =>
      then(delivering(world, tenant), [{ lo: "(0,0)", hi: "(256,0)", bound: newUuid(NOW + 60_000) }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_parked_redeliveries: {
    rows: async (world, tenant) =>
      then(redelivering(world, tenant), [{ lo: "(0,0)", hi: "(256,0)", bound: newUuid(NOW + 60_000) }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_parked_statuses: {
    rows: async (world, tenant) => then(parked(world, tenant, 3), [{ bound: LATER }]),
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_media_uses: {
    rows: async (world, tenant) => {
      await media(world, tenant);
      return [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_setup_links: {
    rows: async (world, tenant) => {
      const id = newUuid(NOW);
      await world.query(
        `insert into setup_link (workspace_id, id, digest, expires_at, created_at) values ($1, $2, '\\x00', $3, $3)`,
        [tenant.workspace, id, AT],
      );
      return [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_console_sessions: {
    rows: async (world, tenant) => {
      const id = newUuid(NOW);
      await world.query(
        `insert into console_session (workspace_id, id, digest, created_at, seen_at, expires_at)
         values ($1, $2, '\\x00', $3, $3, $3)`,
        [tenant.workspace, id, AT],
      );
      return [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }];
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to delete",
  },
  prune_metrics: {
    rows: () => [{ lo: "(0,0)", hi: "(256,0)", bound: LATER }],
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
  },
  count_messages: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      return [{ behind: NO_UUID }];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
  },
  count_attempts: {
    rows: async (world, tenant) => {
      await delivering(world, tenant);
      return [];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
  },
  count_usage: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      return [];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to count",
  },
  count_service: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      return [];
    },
    ofAll: MAINTENANCE,
    oneAnswer: MAINTENANCE,
    walks: MAINTENANCE,
    answersAgain: "there is nothing left to count",
  },
  queue_needs: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      return ["message", "event", "delivery", "callback", "none"].map((family) => ({
        family,
        lo: newUuid(NOW - 60_000),
        hi: newUuid(NOW + 60_000),
      }));
    },
    ofAll: MAINTENANCE,
    walks: MAINTENANCE,
  },
  find_work: {
    rows: async (world, tenant) => {
      const before = new Date(NOW - 60_000).toISOString();
      for (const { message_id } of await accepted(world, tenant))
        await world.query("update dispatch set expires_at = $2 where message_id = $1", [message_id, before]);
      return FEATURES.flatMap(({ questions }) => questions ?? []).map(({ name }) => ({ question: name }));
    },
    ofAll: MAINTENANCE,
  },
  find_unnamed: {
    rows: async (world, tenant) => {
      await unnamed(world, tenant);
      return [{ most: 100 }];
    },
    ofAll: MAINTENANCE,
    walks: "its index holds what is to be done and nothing else",
  },
  identify_contacts: {
    rows: async (world, tenant) => {
      const person = { workspace_id: tenant.workspace, contact_id: tenant.contact, since: AT };
      await accepted(world, tenant);
      await unnamed(world, tenant);
      return ["553181234567", "5531981234567", "15551230001"].map((value) => ({
        ...person,
        kind: "phone",
        scope: "",
        value,
        source: "upgrade",
        key: value,
        loose: value,
      }));
    },
    oneAnswer: "it counts the contacts that were named",
    answersAgain: "what has a name gets none",
  },
  take_evidence: {
    rows: async (world, tenant) => {
      const said = [
        { wa_id: "15551230001" },
        { wa_id: "15551230003", user_id: `US.${tenant.workspace.slice(0, 8)}` },
        { wa_id: "15557654321" },
      ];
      const sends = await begun(world, tenant);
      const outcomes = results(tenant, sends, ["accepted", "accepted", "accepted"]);
      await world.call(
        "settle_sends",
        outcomes.map((row, index) => ({ ...row, ...said[index], scope: "portfolio" })),
      );
      await world.query(
        `insert into contact_evidence (workspace_id, id, contact_id, source, scope, wa_id, at, look_at)
         select c.workspace_id, new_uuid($2), c.id, 'new_owner', 'portfolio', '15551230001', $2, $2 from contact c
         where c.workspace_id = $1 and c.phone = '+15551230001'`,
        [tenant.workspace, AT],
      );
      return [{ up_to: AT, most: 10 }];
    },
    ofAll: "it learns what was said of every workspace's people",
    answersAgain: "what was learned is not learned again",
  },
  merge_contacts: {
    rows: async (world, tenant) => {
      await accepted(world, tenant);
      await world.query(
        `insert into contact_evidence (workspace_id, id, contact_id, other_contact_id, source, at, look_at)
         select a.workspace_id, new_uuid($2), a.id, b.id, 'status', $2, $2 from contact a join contact b using (workspace_id)
         where a.workspace_id = $1 and a.phone = '+15551230001' and b.phone in ('+15551230002', '+15551230003')`,
        [tenant.workspace, AT],
      );
      return [{ up_to: AT, most: 10 }];
    },
    ofAll: "it merges the people of every workspace",
    answersAgain: "what was merged is not merged again",
  },
  share_demand: {
    rows: async (world, { workspace }) => {
      await world.query(
        "insert into api_demand (worker, at, demand) values ($1, $2, jsonb_build_object($3::text, 5))",
        [newUuid(NOW), AT, workspace],
      );
      return [{ worker: newUuid(NOW), demand: { [workspace]: 7 } }];
    },
    walks: "its table has one row a process",
  },
};

const LATER = new Date(NOW + 60_000).toISOString();

/** Rows that lie ahead in a lane of their own, of as many conversations, which are to be due now. */
async function advancing(world: World, table: "deliver" | "redeliver", rows: readonly Row[]): Promise<Row[]> {
  const moved = await world.query(
    `update ${table} set due = $2, lane = lane + 640000 where delivery_id = any($1) returning slot, lane, conversation`,
    [rows.map((row) => row["delivery_id"]), LATER],
  );
  return moved.map(({ slot, lane, conversation }) => ({
    slot,
    lane,
    keys: [String(conversation)],
    lo: 0,
    hi: Number.MAX_SAFE_INTEGER,
    due: AT,
  }));
}

const deferred = (tenant: Tenant, sends: readonly Row[]) =>
  sends.map(({ slot, lane, seq, recipient }) => ({
    slot,
    lane,
    seq,
    workspace_id: tenant.workspace,
    key: recipient,
    due: AT,
  }));

const claims = ({ workspace, account, number }: Tenant) => [
  { kind: "account", provider_id: `waba-${account}`, workspace_id: workspace, id: account },
  { kind: "number", provider_id: `pn-${number}`, workspace_id: workspace, id: number },
];

/** The example of a function; a function without one is a failure that says what to do. */
export function exampleOf(name: string): HotExample {
  const example = HOT_EXAMPLES[name];
  if (!example) throw new Error(`${name} has no example: write one in tests/database/hot-examples.ts`);
  return example;
}

/** Names of all hot functions, in the order of their features. */
export const HOT_NAMES = HOT_FUNCTIONS.map(({ name }) => name);

/** The function as it is installed. */
export function installedName(name: string): string {
  const fn = HOT_FUNCTIONS.find((each) => each.name === name);
  if (!fn) throw new Error(`there is no function ${name}`);
  return fn.installed;
}

const QUEUES = ["dispatch", "deliver", "redeliver", "ingest", "task", "fetching"] as const;
type Numbers = Record<(typeof QUEUES)[number], number>;

/** The last numbers that the queues gave: the watermarks of tail reads. */
export async function lastNumbers(client: Client): Promise<Numbers> {
  const last = QUEUES.map((queue) => `coalesce(pg_sequence_last_value('${queue}_seq_seq'), 0)::float8 as ${queue}`);
  const { rows } = await client.query<Numbers>(`select ${last.join(", ")}`);
  return rows[0] ?? { dispatch: 0, deliver: 0, redeliver: 0, ingest: 0, task: 0, fetching: 0 };
}

/** The world of one example, on a connection that is in a transaction. */
export async function openWorld(client: Client): Promise<World> {
  return {
    before: await lastNumbers(client),
    call: (name, rows) => callHot(client, name, rows),
    query: async (text, values = []) => (await client.query<Row>(text, [...values])).rows,
  };
}

export async function callHot(client: Client, name: string, rows: readonly object[], again = false): Promise<Row[]> {
  const { rows: answers } = await client.query<Row>(
    `select * from ${installedName(name)}($1, $2, gen_random_uuid(), $3)`,
    [JSON.stringify(rows), new Date(NOW), again],
  );
  return answers;
}
