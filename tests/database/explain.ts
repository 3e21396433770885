import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { expect } from "vitest";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { faultsOf, type Node, pagesOf, readIndexes } from "./judge.ts";
import { NOW } from "./owned.ts";

export type Answers = Record<string, unknown>[];

export type Explainer = {
  /** Forgets the calls so far. */
  begin(): void;
  /** Calls a hot function and judges every statement in it. */
  explain(name: string, rows: readonly object[]): Promise<Answers>;
  /** Names of the functions called so far. */
  called(): ReadonlySet<string>;
  /** What is wrong with their plans, a sentence each; more than `mostPages` for a statement are a fault. */
  faults(mostPages: number): string[];
  /** Pages that the last call touched, but for those of planning it. */
  pages(): number;
};

type Explained = { "Query Text": string; Plan: Node };

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
  const indexes = await readIndexes(client);
  const calls: { name: string; plans: Explained[] }[] = [];
  return {
    begin: () => void calls.splice(0),
    called: () => new Set(calls.map(({ name }) => name)),
    pages: () => calls.at(-1)?.plans.reduce((sum, { Plan }) => sum + pagesOf(Plan), 0) ?? 0,
    faults(mostPages) {
      const found = calls.flatMap(({ name, plans }) =>
        plans.flatMap(({ "Query Text": query, Plan }) =>
          faultsOf(Plan, indexes, mostPages).map((fault) => `${name}: ${fault} in ${query.trim().slice(0, 120)}`),
        ),
      );
      return [...new Set(found)];
    },
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
      calls.push({ name, plans: plans.slice(0, -1) });
      return answers;
    },
  };
}
