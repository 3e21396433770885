import { migrate } from "../../db/migrate.ts";
import type { Feature } from "../../feature.ts";
import { FEATURES, functionsOf } from "../../features.ts";
import type { ForgetSome } from "../../forgetting.ts";
import { SLOTS } from "../../lanes/lane-kinds.ts";
import { withClient } from "../client.ts";

/** Visits of one piece. */
export const VISITS_A_PIECE = 2;

/** Deletes the oldest visits of an erased record. The place is the number of the last one. */
const forgetVisits: ForgetSome = async ({ db }, workspaceId, { contactId, place, since }) => {
  const gone = await db.transaction(workspaceId, (sql) =>
    sql.query<{ number: number }>(
      `delete from visit v using (
         select o.number from visit o
         where o.workspace_id = $1 and o.contact_id = $2 and o.number > $3 and o.at >= coalesce($4, '-infinity'::timestamptz)
         order by o.number limit ${VISITS_A_PIECE}) k
       where v.workspace_id = $1 and v.contact_id = $2 and v.number = k.number returning v.number`,
      [workspaceId, contactId, Number(place ?? 0), since === null ? null : new Date(since)],
    ),
  );
  const last = Math.max(Number(place ?? 0), ...gone.map(({ number }) => number));
  return { place: String(last), more: gone.length === VISITS_A_PIECE };
};

/** A feature that knows people: what each is called, at once forgotten, and their visits, which may be many. */
export const visits: Feature = {
  name: "visits",
  grants: {
    visit: { app: "delete, insert, select", engine: "" },
    visitor: { app: "insert, select", engine: "delete, select" },
  },
  forgets: {
    tables: {
      visit: { holds: "what a visitor said", erasure: "within minutes" },
      visitor: { holds: "what a visitor is called", erasure: "at once" },
    },
    atOnce: `
  delete from visitor v where v.workspace_id = r.workspace_id and v.contact_id = any(records);`,
    late: `
  delete from visitor v where v.workspace_id = r.workspace_id and v.contact_id = any(records);`,
    inPieces: forgetVisits,
  },
};

const TABLES = `
  create table visitor (workspace_id uuid not null, contact_id uuid not null, name text not null, primary key (workspace_id, contact_id, name));
  select protect_tenant_table('visitor', 'insert, select', 'delete, select');
  create table visit (workspace_id uuid not null, contact_id uuid not null, number int not null, said text not null, at timestamptz not null,
    primary key (workspace_id, contact_id, number));
  select protect_tenant_table('visit', 'delete, insert, select', '');`;

const features = [...FEATURES, visits];

/** Options of `startGateway`: the product's features and this one, on a database with its tables and their functions. */
export const WITH_VISITS = {
  features,
  async prepare(url: string): Promise<void> {
    await withClient(url, (client) => client.query(TABLES));
    await migrate(url, { functions: functionsOf(features), slots: SLOTS });
  },
};
