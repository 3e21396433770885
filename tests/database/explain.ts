import type { Client } from "pg";
import { expect } from "vitest";
import { callHot, installedName } from "./hot-examples.ts";
import { faultsOf, type Node, pagesOf, readIndexes } from "./judge.ts";

type Answers = Record<string, unknown>[];

export type Explainer = {
  /**
   * Calls a hot function; what is wrong with the plans of its statements, a sentence each: more than `mostPages` for one are a fault too;
   * and the statements that ran.
   */
  explain(
    name: string,
    rows: readonly object[],
    mostPages?: number,
  ): Promise<{ answers: Answers; faults: string[]; statements: string[] }>;
  /** Pages that the last call touched, but for those of planning it. */
  pages(): number;
};

type Explained = { "Query Text": string; Plan: Node };

/** Calls hot functions in a superuser's session that logs the plan of each nested statement; null without auto_explain. */
export async function startExplaining(client: Client): Promise<Explainer | null> {
  try {
    await client.query("load 'auto_explain'");
  } catch {
    return null;
  }
  await client.query(
    "set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_buffers = on; set auto_explain.log_format = json; set auto_explain.log_level = notice",
  );
  let plans: Explained[] = [];
  client.on("notice", ({ message = "" }) => {
    const at = message.indexOf("{");
    if (message.includes("plan:") && at > 0) plans.push(JSON.parse(message.slice(at)) as Explained);
  });
  const indexes = await readIndexes(client);
  return {
    pages: () => plans.reduce((sum, { Plan }) => sum + pagesOf(Plan), 0),
    async explain(name, rows, mostPages = Number.POSITIVE_INFINITY) {
      await client.query("set auto_explain.log_min_duration = 0");
      plans = [];
      const answers = await callHot(client, name, rows);
      // The plan of the call itself comes last, in a transaction with the next statement. Its pages are those of all the others
      // and of planning them, which looks at 60 partitions once a session.
      await client.query("set auto_explain.log_min_duration = -1");
      const call = installedName(name);
      plans = plans.filter((plan) => !plan["Query Text"].includes(`${call}(`));
      expect({ name, explained: plans.length > 0 }).toEqual({ name, explained: true });
      const faults = plans.flatMap(({ "Query Text": query, Plan }) =>
        faultsOf(Plan, indexes, mostPages).map((fault) => `${fault} in ${query.trim().slice(0, 120)}`),
      );
      return { answers, faults: [...new Set(faults)], statements: plans.map((plan) => plan["Query Text"]) };
    },
  };
}
