import { columns, hotFunction, recordset } from "../../../db/hot-function.ts";
import { COMPILE, COMPILER_VARIABLES } from "./compile.sql.ts";
import { CANDIDATE_VARIABLES, candidateIds, INDEX_IS_THERE, SEARCH, SEARCH_PLANNER } from "./find.store.ts";

const COUNT = columns({
  ...SEARCH,
  /** Only contacts with a lower id: where the call before ended. */
  before: "uuid?",
  /** Contacts that the index may give; of more all contacts are walked. */
  most_candidates: "int",
  /** After this time a call ends. */
  budget_ms: "int",
});

/** Contacts that are counted between two looks at the clock. */
const AT_ONCE = 5_000;

/**
 * Counts the contacts that fulfil a condition, from the newest on; `at` is the last one that was looked at when the time was over,
 * and null when that was all of them.
 */
export const countContacts = hotFunction({
  name: "count_contacts",
  input: COUNT,
  answers: columns({ workspace_id: "uuid", count: "bigint", at: "uuid?" }),
  writes: false,
  planner: SEARCH_PLANNER,
  declare: `${COMPILER_VARIABLES}${CANDIDATE_VARIABLES}
  r record;
  began timestamptz;
  counted bigint;
  fitting bigint;
  looked_at int;
  last_looked_at uuid;`,
  body: `
for r in select x.* from ${recordset(COUNT)} loop
  ${COMPILE}
  began := clock_timestamp();
  counted := 0;
  candidates := null;
  last_looked_at := r.before;
  if r.before is null and narrow_sql is not null and ${INDEX_IS_THERE} then
    ${candidateIds("r.most_candidates")}
  end if;
  if candidates is not null then
    execute 'select count(*) from unnest($2) u(id)
        cross join lateral (select c.* from contact c where c.workspace_id = $1 and c.id = u.id offset 0) c
        where c.merged_into is null and ' || coalesce(filter_sql, 'true')
      into counted using r.workspace_id, candidates, r.values;
    last_looked_at := null;
  else
    loop
      execute 'select count(*) filter (where x.fits), count(*), (array_agg(x.id))[count(*)] from (
          select c.id, c.merged_into is null and ' || coalesce(filter_sql, 'true') || ' as fits from contact c
          where c.workspace_id = $1 and c.id < $2 order by c.id desc limit ${AT_ONCE}) x'
        into fitting, looked_at, last_looked_at
        using r.workspace_id, coalesce(last_looked_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), r.values;
      counted := counted + fitting;
      if looked_at < ${AT_ONCE} then
        last_looked_at := null;
        exit;
      end if;
      exit when clock_timestamp() > began + r.budget_ms * interval '1 millisecond';
    end loop;
  end if;
  return query select r.workspace_id, counted, last_looked_at;
end loop;`,
});
