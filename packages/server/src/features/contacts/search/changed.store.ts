import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { COMPILE, COMPILER_VARIABLES } from "./compile.sql.ts";
import { SEARCH, SEARCH_PLANNER } from "./find.store.ts";

/** A place in the order of changes: the era, the transaction in it, the contact. */
export const CHANGE_PLACE = { era: "int", xid: "text", id: "uuid" } as const;

const CHANGED = columns({
  ...SEARCH,
  ...CHANGE_PLACE,
  most: "int",
  /** After this time a page ends, however many it has. */
  budget_ms: "int",
});

/** A contact in the order of changes; `is_gone`: nothing but its id is left to say. */
export type ChangedContact = { id: string; is_gone: boolean };

/**
 * What changes are read from: each a select of the columns `era, xid, id, is_gone, fits`, after the place ($1, $4, $5, $6), below the
 * oldest transaction that still runs, in order. What is gone is reported to every reader, because no filter fits it any more.
 */
const SOURCES: readonly ((fits: string) => string)[] = [
  // Contacts, and the records that were merged into others.
  (fits) => `
        select coalesce(c.changed_era, 0) as era, coalesce(c.changed_in, ''0''::xid8) as xid, c.id,
          c.merged_into is not null as is_gone, c.merged_into is not null or ${fits} as fits
        from contact c
        where c.workspace_id = $1 and c.revision > 0 and ${after("coalesce(c.changed_era, 0)", "coalesce(c.changed_in, ''0''::xid8)", "c.id")}
        order by c.workspace_id, coalesce(c.changed_era, 0), coalesce(c.changed_in, ''0''::xid8), c.id`,
  // People who were erased, by each id that they had.
  () => `
        select e.changed_era as era, e.changed_in as xid, e.id, true as is_gone, true as fits
        from erased_contact e
        where e.workspace_id = $1 and e.erased_at > ''-infinity'' and ${after("e.changed_era", "e.changed_in", "e.id")}
        order by e.workspace_id, e.changed_era, e.changed_in, e.id`,
];

/** After the place, and settled: every transaction below the snapshot's oldest has ended, so that none can commit behind the reader. */
function after(era: string, xid: string, id: string): string {
  return `(${era}, ${xid}, ${id}) > ($4, $5, $6)
          and (${era} < $7 or ${xid} < pg_snapshot_xmin(pg_current_snapshot()))`;
}

/**
 * Contacts in the order of the transactions that last changed them, oldest first. A call ends with the page, with the last
 * change that is settled, or with its time; the place in the answer is that of the last contact that it has looked at, and a
 * reader who goes on from it misses none: a contact that changes again comes again, behind it.
 */
export const changedContacts = hotFunction({
  name: "changed_contacts",
  input: CHANGED,
  answers: columns({
    workspace_id: "uuid",
    contacts: of<ChangedContact[]>("json"),
    ...CHANGE_PLACE,
    more: "boolean",
  }),
  writes: false,
  planner: SEARCH_PLANNER,
  declare: `${COMPILER_VARIABLES}
  r record;
  x record;
  began timestamptz;
  found json[];
  looked_at int;
  last_era int;
  last_xid xid8;
  last_id uuid;
  is_more boolean;`,
  body: `
for r in select x.* from ${recordset(CHANGED)} loop
  ${COMPILE}
  began := clock_timestamp();
  found := '{}';
  looked_at := 0;
  is_more := false;
  last_era := r.era;
  last_xid := r.xid::xid8;
  last_id := r.id;
  for x in execute 'select s.* from (${SOURCES.map((source) => `(${source("' || coalesce(filter_sql, 'true') || '")})`).join(" union all ")}) s
      order by s.era, s.xid, s.id'
    using r.workspace_id, null::uuid, r.values, last_era, last_xid, last_id, current_era()
  loop
    is_more := cardinality(found) >= r.most
      or looked_at > 0 and looked_at % 64 = 0 and clock_timestamp() > began + r.budget_ms * interval '1 millisecond';
    exit when is_more;
    looked_at := looked_at + 1;
    last_era := x.era;
    last_xid := x.xid;
    last_id := x.id;
    if x.fits then
      found := found || json_build_object('id', x.id, 'is_gone', x.is_gone);
    end if;
  end loop;
  return query select r.workspace_id, array_to_json(found), last_era, last_xid::text, last_id, is_more;
end loop;`,
});
