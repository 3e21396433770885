import { createHash } from "node:crypto";

/**
 * A hot path as one PL/pgSQL function: called with a batch of rows as one JSON array and `now`, one round trip, one
 * transaction. Runs as the engine role (security definer), so it is a narrow, listable door over all workspaces.
 *
 * Inside, `rows` is the array, `now` the time of the batch, and `again` tells that an earlier call with these rows may have
 * committed although its answer was lost: every function must then give the answer that is true instead of writing twice.
 */
export type HotFunction = {
  /** Name in the code and in logs. */
  name: string;
  /** Name in the database: carries a hash of the text, so that old and new processes run side by side. */
  installed: string;
  /** Full `create function` text. */
  text: string;
  writes: boolean;
};

export type HotFunctionParts = {
  name: string;
  /** Columns of the answer rows, one row for each input row unless the function says otherwise. */
  returns: string;
  /** Variables, as in a PL/pgSQL declare section. */
  declare?: string;
  body: string;
  /** False for reads: they leave no mark in `flight`. */
  writes?: boolean;
};

/**
 * Queue and key tables look empty to the planner's statistics; without these a tail read went from 1.2 to 265 ms, and the
 * search for the next lane of a slot read the slot to its end by a bitmap.
 */
const PLANNER = [
  "enable_seqscan = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "enable_material = off",
  "jit = off",
  "plan_cache_mode = force_generic_plan",
];

/** A hot call never waits long for a lock: its batch goes row by row instead, and the neighbours go on. */
const LOCK_TIMEOUT = "lock_timeout = '100ms'";

export function hotFunction(parts: HotFunctionParts): HotFunction {
  const writes = parts.writes ?? true;
  const settings = [...PLANNER, ...(writes ? [LOCK_TIMEOUT] : []), "search_path = public, pg_temp"];
  const signature = "(rows json, now timestamptz, call uuid, again boolean)";
  const definition = `${signature} returns table (${parts.returns}) language plpgsql volatile security definer
${settings.map((setting) => `set ${setting}`).join("\n")}
as $function$
#variable_conflict use_column
${parts.declare ? `declare\n${parts.declare.trim()}\n` : ""}begin
${writes ? "insert into flight (id) values (call);\n" : ""}${parts.body.trim()}
end
$function$`;
  const hash = createHash("sha256").update(definition).digest("hex").slice(0, 10);
  const installed = `${parts.name}_${hash}`;
  return { name: parts.name, installed, writes, text: `create or replace function ${installed}${definition}` };
}

/**
 * A look-up by key for each row of a `from` list, whatever the statistics say: `offset 0` keeps the planner from joining the
 * tables with each other first. Planned while the tables were empty, accepting read all conversations of the workspace for
 * each of its rows.
 */
export const lookUp = (alias: string, select: string): string =>
  `left join lateral (${select} offset 0) ${alias} on true`;

/** As `lookUp`, for rows that must be there: a row without any is left out. */
export const each = (alias: string, select: string): string => `cross join lateral (${select} offset 0) ${alias}`;
