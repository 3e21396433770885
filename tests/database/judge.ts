import type { Client } from "pg";
import { GROWING } from "./bloat.ts";

/** A node of a plan as the server's JSON has it. */
export type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Filter?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: Node[];
};

/** The columns, or expressions, of each index in their order, by the name of the index and of its table. */
export type Indexes = { of: Map<string, string[]>; on: Map<string, string[]> };

/** The indexes of the database's tables as they are now. */
export async function readIndexes(client: Client): Promise<Indexes> {
  const { rows } = await client.query<{ name: string; on: string; columns: string[] }>(
    `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as on,
       array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n order by n) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const on = new Map<string, string[]>();
  for (const { name, on: table } of rows) on.set(table, [...(on.get(table) ?? []), name]);
  return { of: new Map(rows.map(({ name, columns }) => [name, columns.map(bare)])), on };
}

/** What is wrong with a plan that ran, a phrase each. Statistics may be any: what is said here holds whatever they were. */
export function faultsOf(plan: Node, indexes: Indexes, mostPages: number): string[] {
  const nodes = flatten(plan).filter((node) => (node["Actual Loops"] ?? 0) > 0);
  const partitions = new Map<string, Set<string>>();
  const faults: string[] = [];
  for (const node of nodes) {
    const relation = node["Relation Name"];
    if (relation === undefined || !GROWING.test(relation)) continue;
    if (node["Node Type"] === "Seq Scan") faults.push(`reads ${relation} from end to end`);
    // It would read a lane to its end before the first row is given out.
    if (node["Node Type"] === "Bitmap Heap Scan") faults.push(`collects rows of ${relation} by a bitmap`);
    if (/^Index (Only )?Scan$/.test(node["Node Type"])) faults.push(...faultsOfScan(node, relation, indexes));
    const parent = /^(.+)_\d{6,8}$/.exec(relation)?.[1];
    // Rows to change are named once more by the node that changes them.
    if (parent !== undefined) partitions.set(parent, (partitions.get(parent) ?? new Set()).add(relation));
  }
  for (const [parent, names] of partitions)
    if (names.size > 1) faults.push(`touches ${names.size} partitions of ${parent}`);
  const pages = pagesOf(plan);
  if (pages > mostPages) faults.push(`touches ${pages} pages`);
  return faults;
}

export const pagesOf = (plan: Node): number => (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);

/**
 * An index is walked from a point only as far as its leading columns are bound; a condition beyond a gap, or a filter, is
 * asked of every entry on the way.
 */
function faultsOfScan(node: Node, relation: string, indexes: Indexes): string[] {
  const name = node["Index Name"] ?? "";
  const columns = indexes.of.get(name) ?? [];
  if (node["Index Cond"] === undefined) return [`reads all of ${name}`];
  const conditions = clauses(node["Index Cond"]);
  const bound = columns.map((column) => conditions.some((clause) => binds(clause, column)));
  const faults: string[] = [];
  if (bound.lastIndexOf(true) !== bound.filter(Boolean).length - 1)
    faults.push(`uses ${name} with a gap: ${node["Index Cond"]}`);
  const all = [...conditions, ...clauses(node.Filter ?? "")];
  for (const other of indexes.on.get(relation) ?? [])
    if (fixedBy(all, indexes.of.get(other) ?? []) > fixedBy(all, columns))
      faults.push(`uses ${name} where ${other} fixes more: ${all.join(" and ")}`);
  return faults;
}

/** How many leading columns have one value. */
function fixedBy(all: readonly string[], columns: readonly string[]): number {
  const open = columns.findIndex((column) => !all.some((clause) => clause.startsWith(`${column} = `)));
  return open === -1 ? columns.length : open;
}

function binds(clause: string, column: string): boolean {
  const row = /^ROW(.+?) [<>]/.exec(clause)?.[1];
  return row === undefined
    ? ["=", "<", ">", "<=", ">="].some((operator) => clause.startsWith(`${column} ${operator} `))
    : `, ${row}, `.includes(`, ${column}, `);
}

// Conditions come with brackets and aliases that definitions of indexes do not have.
const clauses = (condition: string): string[] => bare(condition).split(" AND ");
const bare = (text: string): string => text.replaceAll(/\b[a-z]\w*\.(?=\w)/g, "").replaceAll(/[()]/g, "");

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
