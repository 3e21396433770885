import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import type { Database } from "../../packages/server/src/db/database.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { SLOTS } from "../../packages/server/src/lanes/lane-kinds.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

/** Known to both. */
export const PEOPLE = ["+15551230001", "+15551230002", "+15551230003"] as const;

export let db: Database;
/** New for each run of a property. */
export let tenants: [Tenant, Tenant];

/** Opens the database for the tests of a file. */
export function useTwoTenants(): void {
  let database: Owned;
  beforeAll(async () => {
    database = await ownedDatabase();
    db = database.db;
  });
  afterAll(() => database.drop());
}

/** Whose row it is (0 or 1), and one of a few people, keys and provider ids that both have. */
const mixed = fc.array(
  fc.record({ whose: fc.constantFrom(0, 1), person: fc.nat(2), key: fc.option(fc.nat(3), { nil: null }) }),
  {
    minLength: 2,
    maxLength: 12,
  },
);
export type Mixed = { whose: number; person: number; key: number | null };
export const owner = ({ whose }: { whose: number }): Tenant => tenants[whose === 0 ? 0 : 1];
const RUNS = { numRuns: 12 };

/** The property holds for any rows of both workspaces, and the walls stand whatever it wrote. */
export async function check(property: (rows: Mixed[]) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(mixed, async (rows) => {
      tenants = [await makeTenant(db, PEOPLE[0], NOW), await makeTenant(db, PEOPLE[0], NOW)];
      await property(rows);
      await expectWalls();
    }),
    RUNS,
  );
}

/** Rows of a hot function, in one call. */
export const call = <Answer extends object>(name: string, rows: readonly object[]): Promise<Answer[]> => {
  const fn = HOT_FUNCTIONS.find((each) => each.name === name);
  if (!fn) throw new Error(`no function ${name}`);
  const texts = rows.map((row) => JSON.stringify(row));
  // Named by a text, so that the compiler does not know what it answers.
  return db.callTexts(fn, texts, NOW) as Promise<Answer[]>;
};

export type Place = { slot: number; lane: number; seq: number; workspace_id: string };

/** The queue rows of both workspaces, as each of them sees its own. */
export async function queueRows(table: string, item: string): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  for (const { workspace } of tenants) {
    const rows = await db.read(workspace, (sql) =>
      sql.query<Place & { item: string }>(`select slot, lane, seq, workspace_id, ${item} as item from ${table}`),
    );
    for (const { item: id, ...place } of rows) places.set(id, place);
  }
  return places;
}

/** Whatever was written: every row refers to rows of its own workspace, and says whose it is in its content too. */
async function expectWalls(): Promise<void> {
  for (const [whose, tenant] of tenants.entries()) {
    const [found] = await db.read(tenant.workspace, (sql) =>
      sql.query<Record<string, number>>(
        `select
           (select count(*) from message m where m.content->>'of' <> $1) as foreign_content,
           (select count(*) from message m where not exists (select from contact c where c.id = m.contact_id)) as foreign_contact,
           (select count(*) from message m where m.phone_number_id <> $2) as foreign_number,
           (select count(*) from message_state s where not exists (select from message m where m.id = s.id)) as foreign_state,
           (select count(*) from message m where not exists (select from message_state s where s.id = m.id)) as stateless,
           (select count(*) from history h where not exists (select from message m where m.id = h.message_id)) as foreign_history,
           (select count(*) from event e where e.message_id is not null and not exists (select from message m where m.id = e.message_id)) as foreign_event,
           (select count(*) from deliver d where not exists (select from event e where e.id = d.event_id)) as foreign_delivery,
           (select count(*) from deliver d where d.lane <> $3 or d.slot <> $3 % ${SLOTS}) as foreign_lane,
           (select count(*) from dispatch d where d.lane <> $4) as foreign_sender,
           (select count(*) from conversation v where not exists (select from contact c where c.id = v.contact_id)) as foreign_conversation,
           (select count(*) from provider_message p where not exists (select from message m where m.id = p.message_id)) as foreign_provider_id,
           (select count(*) from attempt a where not exists (select from message m where m.id = a.message_id)) as foreign_attempt`,
        [String(whose), tenant.number, tenant.endpointLane, tenant.numberLane],
      ),
    );
    expect(Object.entries(found ?? {}).filter(([, count]) => count !== 0)).toEqual([]);
  }
}
