import { each } from "../../db/hot-function.ts";
import { survivorOf } from "../identity/identifiers.sql.ts";
import { OWN_ACT, ownersOf, secondOf } from "../threads/owner.sql.ts";
import { REPORTS } from "../threads/status.ts";
import { needsWindow } from "./types.ts";

/** Reports of a message that the provider has accepted. */
export const ACCEPTED_BITS = REPORTS.sent.bit | REPORTS.delivered.bit | REPORTS.read.bit | REPORTS.played.bit;

/**
 * json[]: `owner_signs` with the conversations that became ours with messages whose answers were lost: their statuses say that the
 * provider has accepted them. `from`: rows `x` with workspace_id and ordinality. `message`: uuid. A responder that took the conversation after the
 * send has it, so it counts from the earliest moment that is known of it.
 */
export const takenByLost = (from: string, message: string, where: string): string =>
  ownersOf(
    `${from}
    ${each("g", `select g.contact_id, g.phone_number_id from message g where g.workspace_id = x.workspace_id and g.id = ${message} and g.takes_thread and ${needsWindow("g.type")}`)}
    ${each(
      "u",
      `
      select least(s.sent_at, s.delivered_at, s.read_at, (
        select min(a.completed_at) from attempt a
        where a.workspace_id = x.workspace_id and a.message_id = ${message} and a.outcome = 'unknown')) as at
      from message_state s
      where s.workspace_id = x.workspace_id and s.id = ${message} and s.seen & ${ACCEPTED_BITS} <> 0 and s.fallback_used is not true`,
    )}
    where ${where}`,
    {
      workspace: "x.workspace_id",
      contact: survivorOf("x.workspace_id", "g.contact_id"),
      phoneNumber: "g.phone_number_id",
      role: "'self'",
      since: "u.at",
      at: secondOf("u.at"),
      mark: `'${OWN_ACT}'`,
    },
  );
