import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

// Without the role `deliver`: what is written for endpoints stays in the queue, in the order and the transactions in which it was written.
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" }, { roles: ["api", "ingress", "dispatch", "maintenance"] });
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 30_000, interval: 20 };
/** The fan-out bound of one call, in rows. */
const MOST_ROWS_A_CALL = 1_000;

let counter = 0;
const digits = (): string => `1555720${String((counter += 1)).padStart(4, "0")}`;
const now = (): number => gateway.clock.now();

async function listen(of: Sender, endpoints: number, more: object = {}): Promise<void> {
  for (let n = 0; n < endpoints; n++) {
    const body = { url: `https://example.com/${n}`, events: ["*"], ...more };
    expect((await of.call("POST", "/v1/webhook-endpoints", { body })).status).toBe(201);
  }
}

const post = async (of: Sender, ...values: object[]): Promise<void> =>
  expect((await postCallback(gateway, callbackOf(of.account, ...values))).status).toBe(200);

/** Nothing waits to be parsed. */
const parsed = async (): Promise<void> => {
  await expect.poll(() => gateway.app.db.sql.query("select 1 from ingest limit 1"), PATIENCE).toEqual([]);
};

/** Sends messages; resolves to the ids that the provider gave them. */
async function sent(of: Sender, many: number): Promise<string[]> {
  const replies = await Promise.all(Array.from({ length: many }, () => of.send(`+${digits()}`)));
  const accepted = await Promise.all(replies.map(({ body }) => of.becomes(body.id, "accepted")));
  return accepted.map(({ provider_message_id }) => provider_message_id);
}

/** Slows the writing of statuses down, so that anything that can overtake them does. */
const slowly = (seconds: number) =>
  gateway.app.db.sql.run(`
    create or replace function dawdle() returns trigger language plpgsql as $$ begin if new.kind = 'sent' then perform pg_sleep(${seconds}); end if; return new; end $$;
    create or replace trigger dawdle before insert on event for each row execute function dawdle()`);

describe("what a number reports", () => {
  beforeAll(async () => {
    mine = await gateway.sender();
    await listen(mine, 2, { ordered: true });
    await slowly(0.005);
  });

  /** For each endpoint, kind and message of its deliveries in the order of the queue. */
  async function queues(): Promise<string[][]> {
    const rows = await mine.rows<{ lane: number; what: string }>(
      `select d.lane, e.kind || ' ' || s.provider_message_id as what from deliver d
       join event e on e.workspace_id = d.workspace_id and e.id = d.event_id
       join message_state s on s.workspace_id = e.workspace_id and s.id = e.message_id where e.kind <> 'accepted' order by d.seq`,
    );
    const lanes = [...new Set(rows.map(({ lane }) => lane))];
    return lanes.map((lane) => rows.filter((row) => row.lane === lane).map(({ what }) => what));
  }

  it("becomes events and deliveries in the order in which its callbacks were answered", async () => {
    const ids = await sent(mine, 120);
    const posted: string[] = [];
    for (const status of ["sent", "delivered", "read"]) {
      await post(mine, ...ids.map((id) => statusOf(id, status, now())));
      posted.push(...ids.map((id) => `${status} ${id}`));
    }
    await parsed();
    expect(await queues()).toEqual([posted, posted]);
    const events = await mine.rows<{ kind: string }>(
      "select kind from event where kind in ('sent', 'delivered', 'read') order by sequence",
    );
    expect(events.map(({ kind }) => kind)).toEqual(posted.map((what) => what.split(" ")[0]));
  });

  it("keeps the order between statuses and messages", async () => {
    const before = (await queues())[0]?.length ?? 0;
    const ids = await sent(mine, 20);
    const posted: string[] = [];
    for (const [index, id] of ids.entries()) {
      await post(mine, statusOf(id, "sent", now()));
      await post(mine, textFrom(digits(), `wamid.R${index}`, "Hi", now()));
      posted.push(`sent ${id}`, `messages wamid.R${index}`);
    }
    await parsed();
    expect((await queues()).map((queue) => queue.slice(before))).toEqual([posted, posted]);
  });
});

describe("the bound of what one call writes", () => {
  let loud: Sender;
  beforeAll(async () => {
    loud = await gateway.sender();
    await listen(loud, 100);
  });

  /** The number of queue rows of each transaction that wrote any since the last call. */
  let known = 0;
  async function calls(): Promise<number[]> {
    const rows = await loud.rows<{ n: number; last: number }>(
      "select count(*)::int as n, max(seq)::int as last from deliver where seq > $1 group by xmin::text",
      [known],
    );
    known = Math.max(known, ...rows.map(({ last }) => last));
    return rows.map(({ n }) => n);
  }

  it("holds inside one callback of many messages and statuses", async () => {
    await post(loud, ...Array.from({ length: 60 }, (_, n) => textFrom(digits(), `wamid.L${n}`, "Hi", now())));
    await parsed();
    const written = await calls();
    expect(written.reduce((sum, n) => sum + n)).toBe(60 * 2 * 100);
    expect(Math.max(...written)).toBeLessThanOrEqual(MOST_ROWS_A_CALL);
  });

  it("holds for callbacks that come together", async () => {
    const ids = await sent(loud, 40);
    await calls();
    await Promise.all(ids.map((id) => post(loud, statusOf(id, "delivered", now()))));
    await parsed();
    const written = await calls();
    expect(written.reduce((sum, n) => sum + n)).toBe(40 * 100);
    expect(Math.max(...written)).toBeLessThanOrEqual(MOST_ROWS_A_CALL);
  });

  it("holds for messages to unknown contacts", async () => {
    await calls();
    const replies = await Promise.all(Array.from({ length: 60 }, () => loud.send(`+${digits()}`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    const strangers = await loud.rows<{ n: number }>(
      "select count(*)::int as n from deliver d join event e on e.workspace_id = d.workspace_id and e.id = d.event_id where e.kind = 'contact_created' and d.seq > $1 group by d.xmin::text",
      [known],
    );
    expect(strangers.reduce((sum, { n }) => sum + n, 0)).toBe(60 * 100);
    expect(Math.max(...strangers.map(({ n }) => n))).toBeLessThanOrEqual(MOST_ROWS_A_CALL);
  });
});
