import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../packages/server/src/lib/duration.ts";
import { NIL_WORKSPACE, uuidFloor } from "../../packages/server/src/lib/ids.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { openStage, type Stage } from "./plan-states.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// What a page of the feed reads that begins at a time in the midst of a busy day. Pages, not time: they are the same on any machine.

const EVENTS = 60_000;
/** Of that day, five a second. */
const EACH_MS = 200;
const DAY = NOW - (NOW % (24 * HOUR_MS));
const LOWEST = DAY + (EVENTS - 200) * EACH_MS;
/** The first of each partition that follows, and of the index what was written since the mark. */
const MOST_PAGES = 250;

let database: Owned;
let stage: Stage | null = null;
let why = "auto_explain can be loaded by a superuser alone, and the login of DATABASE_URL is none";
let tenant: Tenant;
beforeAll(async () => {
  const url = await adminUrl();
  if (url === null) return;
  database = await ownedDatabase();
  tenant = await makeTenant(database.db, "+15551230001", NOW);
  stage = await openStage(urlOf(url, new URL(database.url).pathname.slice(1)));
  if (!stage) why = "the server has no auto_explain";
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await database?.drop();
});

it("a page that begins late in a day reads from the last mark on, and not the day before it", {
  timeout: 120_000,
}, async (context) => {
  if (!stage) return context.skip(why);
  const { admin, explainer } = stage.session();
  // Each of a transaction of its own, of an era that is over, so that all of them are settled.
  await admin.query(
    `insert into event (workspace_id, id, era, xid, kind, sequence, occurred_at, created_at)
     select $1, new_uuid(t.at), 0, (n + 1)::text::xid8, 'usual', nextval('conversation_sequence'), t.at, t.at
     from generate_series(0, $3::int - 1) n cross join lateral (select $2::timestamptz + n * $4::int * interval '1 millisecond' as at) t`,
    [tenant.workspace, new Date(DAY), EVENTS, EACH_MS],
  );
  await admin.query("vacuum analyze event");
  const row = {
    workspace_id: tenant.workspace,
    era: 0,
    xid: "0",
    id: "00000000-0000-0000-0000-000000000000",
    lowest: uuidFloor(LOWEST),
    kind: "usual",
    message_id: null,
    contact_ids: null,
    numbers: null,
    most: 100,
    look: 4_000,
    budget_ms: 10_000,
  };
  const page = async (): Promise<{ first: number; count: number; pages: number }> => {
    const { answers } = await explainer.explain("read_feed", [row]);
    const events = answers[0]?.["events"] as { created_at: number }[];
    return { first: events[0]?.created_at ?? 0, count: events.length, pages: explainer.pages() };
  };
  const whole = await page();
  expect(whole).toMatchObject({ first: LOWEST, count: 100 });

  // Those after the lowest, which are not known to have ended when the later transactions began, are of no use to it.
  for (const minutes of [90, 20, 5, -5])
    await admin.query("insert into feed_mark (workspace_id, at, era, xid) values ($1, $2, 0, $3::text::xid8)", [
      NIL_WORKSPACE,
      new Date(LOWEST - minutes * MINUTE_MS),
      1 + (LOWEST - minutes * MINUTE_MS - DAY) / EACH_MS,
    ]);
  const marked = await page();
  expect(marked).toMatchObject({ first: LOWEST, count: 100 });
  expect(marked.pages).toBeLessThan(whole.pages / 2);
  expect(marked.pages).toBeLessThan(MOST_PAGES);
});
