import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { expect } from "vitest";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { GROWING } from "./bloat.ts";
import { NOW } from "./owned.ts";

/**
 * Pages a statement may touch. A skip-scan of a slot, which has no watermark, meets the slot's dead rows (469 here) until
 * the next vacuum; everything else needs a few dozen.
 */
const MOST_PAGES = 1_200;

export type Answers = Record<string, unknown>[];

export type Explainer = {
  /** Calls a hot function and judges every statement in it. */
  explain(name: string, rows: readonly object[]): Promise<Answers>;
  /** Names of the functions called so far. */
  called: ReadonlySet<string>;
  /** What is wrong with their plans, a sentence each. */
  faults(): string[];
};

/** Calls hot functions in a superuser's session that tells the plan of each nested statement; null without auto_explain. */
export async function startExplaining(client: Client): Promise<Explainer | null> {
  try {
    await client.query("load 'auto_explain'");
  } catch {
    return null;
  }
  await client.query(
    "set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_buffers = on; set auto_explain.log_format = json; set auto_explain.log_level = notice",
  );
  let plans: Explained[] = [];
  client.on("notice", ({ message = "" }) => {
    const at = message.indexOf("{");
    if (message.includes("plan:") && at > 0) plans.push(JSON.parse(message.slice(at)) as Explained);
  });
  const called = new Set<string>();
  const found = new Map<string, string[]>();
  return {
    called,
    faults: () => [...found.values()].flat(),
    async explain(name, rows) {
      const fn = HOT_FUNCTIONS.find((each) => each.name === name);
      if (!fn) throw new Error(`no function ${name}`);
      plans = [];
      const { rows: answers } = await client.query<Record<string, unknown>>(
        `select * from ${fn.installed}($1, $2, $3, false)`,
        [JSON.stringify(rows), new Date(NOW), randomUUID()],
      );
      // The outermost plan is the call itself.
      expect({ name, explained: plans.length > 1 }).toEqual({ name, explained: true });
      // And its pages are the planner's too, which looks at 60 partitions once a session.
      const faults = plans
        .slice(0, -1)
        .flatMap(({ "Query Text": query, Plan }) =>
          faultsOf(Plan).map((fault) => `${name}: ${fault} in ${query.trim().slice(0, 120)}`),
        );
      if (faults.length > 0) found.set(name, faults);
      called.add(name);
      return answers;
    },
  };
}

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Actual Loops"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: Node[];
};
type Explained = { "Query Text": string; Plan: Node };

function faultsOf(plan: Node): string[] {
  const nodes = flatten(plan).filter((node) => (node["Actual Loops"] ?? 0) > 0);
  const partitions = new Map<string, Set<string>>();
  const faults: string[] = [];
  for (const node of nodes) {
    const relation = node["Relation Name"];
    if (relation === undefined || !GROWING.test(relation)) continue;
    if (node["Node Type"] === "Seq Scan") faults.push(`reads ${relation} from end to end`);
    if (/^Index (Only )?Scan$/.test(node["Node Type"]) && node["Index Cond"] === undefined)
      faults.push(`reads all of ${node["Index Name"]}`);
    const parent = /^(.+)_\d{6,8}$/.exec(relation)?.[1];
    // Rows to change are named once more by the node that changes them.
    if (parent !== undefined) partitions.set(parent, (partitions.get(parent) ?? new Set()).add(relation));
  }
  for (const [parent, names] of partitions)
    if (names.size > 1) faults.push(`touches ${names.size} partitions of ${parent}`);
  const pages = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  if (pages > MOST_PAGES) faults.push(`touches ${pages} pages`);
  return faults;
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
