import { UsageError } from "../errors.ts";
import { type Group, lists, shows, text } from "./command.ts";

export const group: Group = {
  name: "quarantine",
  does: "quarantined callbacks, with the operator key",
  commands: [
    lists({
      name: "list",
      does: "list what waits, newest first, and why",
      key: "operator",
      operation: "quarantine.list",
      example: "quarantine list --reason failed",
      options: [{ name: "reason", does: "such as failed or unowned; all by default" }],
      columns: ["id", "reason", "provider_account_id", "provider_phone_number_id", "created_at", "detail"],
      rows: async function* ({ operator }, query) {
        yield* (await operator()).quarantine.list(query);
      },
    }),
    shows({
      name: "replay",
      does: "parse callbacks again: one, or all that wait for a reason",
      key: "operator",
      operation: "quarantine.replayAll",
      example: "quarantine replay --reason failed",
      argument: { name: "id", does: "qrn_…, of one that waits", prefix: "qrn_", isOptional: true },
      options: [{ name: "reason", does: "all that wait for it, such as failed" }],
      one: async ({ operator, argument, given }) => {
        const reason = text(given, "reason");
        if ((argument === "") === (reason === "")) throw new UsageError("give either an id or --reason");
        const { quarantine } = await operator();
        if (argument !== "") return await quarantine.replay(argument);
        let replayed = 0;
        for (let more = true; more; ) {
          const answer = await quarantine.replayAll({ reason });
          replayed += answer.replayed;
          more = answer.has_more;
        }
        return { replayed };
      },
    }),
  ],
};
