import type { Command } from "commander";
import { operatorOf } from "./connection.ts";
import { UsageError } from "./errors.ts";
import { BASE_URL, printJson } from "./output.ts";

type ListOptions = { reason?: string; limit: string; baseUrl?: string };
type ReplayOptions = { reason?: string; baseUrl?: string };

/** Commands for quarantined callbacks, over the API: `quarantine list`, `quarantine replay`. */
export function addQuarantineCommands(program: Command): void {
  const quarantine = program.command("quarantine").description("quarantined callbacks, with WAYPOST_OPERATOR_KEY");
  quarantine
    .command("list")
    .description("what waits, newest first, and why")
    .option("--reason <reason>", "such as failed or unowned; all by default")
    .option("--limit <number>", "at most so many", "100")
    .option(...BASE_URL)
    .action(async ({ reason, limit, baseUrl }: ListOptions) => {
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1) throw new UsageError("--limit must be a whole number from 1 on");
      const operator = await operatorOf(baseUrl, process.env);
      const rows: object[] = [];
      for await (const row of operator.quarantine.list(reason === undefined ? {} : { reason })) {
        rows.push(row);
        if (rows.length >= most) break;
      }
      printJson(rows);
    });
  quarantine
    .command("replay")
    .description("parse callbacks again: one, or all that wait for a reason")
    .argument("[id]", "qrn_…")
    .option("--reason <reason>", "all that wait for it, such as failed")
    .option(...BASE_URL)
    .action(async (id: string | undefined, { reason, baseUrl }: ReplayOptions) => {
      if ((id === undefined) === (reason === undefined)) throw new UsageError("give either an id or --reason");
      if (id === "") throw new UsageError("the id is empty");
      const { quarantine: api } = await operatorOf(baseUrl, process.env);
      if (id !== undefined) return printJson(await api.replay(id));
      let replayed = 0;
      for (let more = true; more; ) {
        const answer = await api.replayAll({ reason: reason ?? "" });
        replayed += answer.replayed;
        more = answer.has_more;
      }
      printJson({ replayed });
    });
}
