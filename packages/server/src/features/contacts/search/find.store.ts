import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { COMPILE, COMPILER_VARIABLES } from "./compile.sql.ts";
import type { Step } from "./condition.ts";

/** What each search is asked by. */
export const SEARCH = {
  workspace_id: "uuid",
  /** The condition in postfix order; none: every contact. */
  filter: of<readonly Step[]>("json"),
  /** What of it `contact_search` answers; null: nothing. */
  narrow: of<readonly Step[] | null>("json?"),
  /** What a contact has that the index must compare; not null where `narrow` is not. */
  sample: of<readonly Step[] | null>("json?"),
  /** The values that the steps name. */
  values: of<readonly unknown[]>("jsonb"),
} as const;

/**
 * How a list is read: `walk`, newest first, comparing each contact, or by `index`: all that it gives are sorted first. Null: not
 * decided yet.
 */
export type Way = "walk" | "index" | null;

export const FIND = columns({
  ...SEARCH,
  /** Only contacts with a lower id. */
  before: "uuid?",
  /** No contact with a lower id is looked at. */
  lowest: "uuid?",
  /** This contact alone. */
  contact_id: "uuid?",
  way: of<Way>("text?"),
  most: "int",
  /** Contacts that are compared one by one before the index is asked. */
  walk_first: "int",
  /** Contacts that the index may give; of more the list is walked. */
  most_candidates: "int",
  /** After this time a page ends, however many it has. */
  budget_ms: "int",
});

/** Contacts between two looks at the clock. */
const TIME_IS_ASKED = 64;
/** A page with nothing on it takes so many times its time: a reader learns little from it. */
const EMPTY_HANDED = 1.75;

/** Statements are planned when they run, with their values; only a search by index may collect contacts before it gives the first. */
export const SEARCH_PLANNER = [
  "enable_seqscan = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "enable_material = off",
  "enable_memoize = off",
  "jit = off",
  // For a bitmap of each page of a million contacts.
  "work_mem = '32MB'",
];

const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Looks at contacts in their order, and takes those that fit, until the page is full, the time is over, or `until`. */
const look = (from: string, until = "false"): string => `
    began := clock_timestamp();
    looked_at := 0;
    is_more := false;
    for x in execute 'select c.id, c.merged_into is null and ' || coalesce(filter_sql, 'true') || ' as fits
        ${from}'
      using r.workspace_id, coalesce(last_looked_at, '${HIGHEST}'), r.values, lowest_id, candidates
    loop
      -- There is one more.
      is_more := cardinality(found) >= r.most or ${until}
        or looked_at > 0 and looked_at % ${TIME_IS_ASKED} = 0 and clock_timestamp() > began + r.budget_ms * interval '1 millisecond'
          * case when cardinality(found) = 0 then ${EMPTY_HANDED} else 1 end;
      exit when is_more;
      looked_at := looked_at + 1;
      last_looked_at := x.id;
      if x.fits then
        found := found || x.id;
      end if;
    end loop;`;

/** True while the index can be asked: beside the traffic it is built after the migration. */
export const INDEX_IS_THERE =
  "exists (select from pg_index i where i.indexrelid = to_regclass('contact_search') and i.indisvalid)";

/** What the index is asked. The workspace is written as in the index and nowhere else, so that no other index fits. */
const OF_WORKSPACE = "select c.id from contact c where c.workspace_id::text = $1";
/**
 * Contacts that are compared to learn how many of all the index would give: some in a row, from each of these places between the oldest
 * and the newest. Neighbours are alike, as those of one import are; and of few in all one in ten guesses was half of the truth.
 */
const SAMPLED_PLACES = 20;
const SAMPLED_IN_A_ROW = 50;
/** Milliseconds of the time in an id. */
const MS_OF_ID = (id: string): string =>
  `(''x'' || substr(${id}::text, 1, 8) || substr(${id}::text, 10, 4))::bit(48)::bigint`;
const SAMPLE = `select c.* from (
          select ${MS_OF_ID("o.id")} as oldest, ${MS_OF_ID("n.id")} as newest
          from (select c.id from contact c where c.workspace_id = $1 order by c.id limit 1) o
          cross join (select c.id from contact c where c.workspace_id = $1 order by c.id desc limit 1) n) t
        cross join generate_series(0, ${SAMPLED_PLACES - 1}) p(n)
        cross join lateral (
          select c.* from contact c
          where c.workspace_id = $1
            and c.id >= rpad(lpad(to_hex(t.oldest + (t.newest - t.oldest) * p.n / ${SAMPLED_PLACES}), 12, ''0''), 32, ''0'')::uuid
          order by c.id limit ${SAMPLED_IN_A_ROW}) c`;

const planned = (query: string): string => `
      execute 'explain (format json) ${query}' into plan using r.workspace_id::text, null::int, r.values;`;

/**
 * The ids that the index gives for `narrow_sql`, and one more than `limit`; null where there are or seem to be more. A bitmap of half
 * a million takes 50 ms, so the planner is asked first, who knows tags and texts, and a sample, which knows what goes together.
 */
export const candidateIds = (limit: string): string => `
      ${planned(`${OF_WORKSPACE} and ' || narrow_sql || '`)}
      expected := (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
      ${planned(OF_WORKSPACE)}
      execute 'select $4 * count(*) filter (where ' || sample_sql || ') / greatest(count(*), 1) from (${SAMPLE}) c'
        into sampled using r.workspace_id, null::int, r.values, (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
      candidates := null;
      if greatest(expected, sampled) <= ${limit} then
        perform set_config('enable_bitmapscan', 'on', true);
        execute 'select coalesce(array_agg(n.id), ''{}'') from (${OF_WORKSPACE} and ' || narrow_sql || ' limit $2) n'
          into candidates using r.workspace_id::text, ${limit} + 1, r.values;
        perform set_config('enable_bitmapscan', 'off', true);
        if cardinality(candidates) > ${limit} then
          candidates := null;
        end if;
      end if;`;
/** The variables of `candidateIds`. */
export const CANDIDATE_VARIABLES = `
  candidates uuid[];
  plan json;
  expected float8;
  sampled float8;`;

/**
 * Contacts of a workspace that fulfil a condition, newest first. A call ends with the page, with the last contact or with its
 * time: `at` is the last one that it has looked at, and what follows is a matter of the next call. Most pages are full after
 * some hundred contacts. Where they are not, few contacts fit, and the index knows them if the condition has something to look up;
 * if the index has too many, it would take long to sort them, and there is one among each few that are walked.
 *
 * The condition's text is made of this function's constants (`COMPILE`), because the function sees all workspaces.
 */
export const findContacts = hotFunction({
  name: "find_contacts",
  input: FIND,
  answers: columns({
    workspace_id: "uuid",
    ids: "uuid[]",
    at: "uuid?",
    more: "boolean",
    way: of<Way>("text?"),
  }),
  writes: false,
  planner: SEARCH_PLANNER,
  declare: `${COMPILER_VARIABLES}${CANDIDATE_VARIABLES}
  r record;
  x record;
  began timestamptz;
  found uuid[];
  last_looked_at uuid;
  chosen text;
  looked_at int;
  is_more boolean;
  asks_index boolean;
  lowest_id uuid;`,
  body: `
for r in select x.* from ${recordset(FIND)} loop
  ${COMPILE}
  found := '{}';
  candidates := case when r.contact_id is not null then array[r.contact_id] end;
  last_looked_at := r.before;
  lowest_id := coalesce(r.lowest, '${LOWEST}');
  chosen := r.way;
  is_more := false;
  asks_index := candidates is null and narrow_sql is not null and chosen is distinct from 'walk' and ${INDEX_IS_THERE};
  if candidates is null and (not asks_index or chosen is distinct from 'index') then
    ${look(`from contact c where c.workspace_id = $1 and c.id < $2 and c.id >= $4 order by c.id desc`, "asks_index and looked_at >= r.walk_first")}
    asks_index := asks_index and is_more and cardinality(found) < r.most;
  end if;
  if asks_index then
    ${candidateIds("r.most_candidates")}
    if candidates is null then
      chosen := 'walk';
      ${look("from contact c where c.workspace_id = $1 and c.id < $2 and c.id >= $4 order by c.id desc")}
    else
      chosen := 'index';
    end if;
  end if;
  if candidates is not null then
    ${look(`from (select u.id from unnest($5) u(id) where u.id < $2 and u.id >= $4 order by u.id desc offset 0) u
        cross join lateral (select c.* from contact c where c.workspace_id = $1 and c.id = u.id offset 0) c`)}
  end if;
  return query select r.workspace_id, found, last_looked_at, is_more, chosen;
end loop;`,
});
