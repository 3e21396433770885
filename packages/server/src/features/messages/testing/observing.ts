import { sqlState } from "../../../lib/error-fields.ts";
import { newUuid, parseId } from "../../../lib/ids.ts";
import { parseCallback } from "../../../provider/whatsapp/callbacks/callbacks.ts";
import { callbackOf, textFrom } from "../../../testing/callback.ts";
import type { Gateway, Sender } from "../../../testing/gateway.ts";
import { claimOf, NO_PERSON_NAMED } from "../../identity/reported-identifiers.ts";
import { REPORTS } from "../../threads/status.ts";
import { takeReports } from "../callbacks/provider-events.store.ts";
import { isOfNumber, takenRowOf } from "../callbacks/taken-row.ts";
import type { SendResultRow } from "../dispatch/send-result.sql.ts";
import { settleSends } from "../dispatch/settle.store.ts";

/** A message of ours, as stored and as the provider calls it. */
export type SentMessage = { id: string; wamid: string };

/** Something that the provider says of a person. Numbers are digits. */
export type Observation =
  | { by: "answer"; message: SentMessage; waId: string | null; userId: string | null }
  | { by: "status"; message: SentMessage; waId: string | null; userId: string | null }
  | { by: "inbound"; waId: string | null; userId: string | null; quotes: SentMessage | null; id: string; atMs: number };

/** The portfolio of a test's user ids. */
const SCOPE = "observed";

/** As often as a lane or ingress would try again within a minute. */
const MOST_TRIES = 20;

/** Applies what the provider says as a lane or ingress would; true when it must be learned from. */
export const observe = (gateway: Gateway, of: Sender, one: Observation): Promise<boolean> =>
  untilDone(() => apply(gateway, of, one));

/** Again where calls waited in a circle, or one was overtaken. */
async function untilDone<T>(call: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1)
    try {
      return await call();
    } catch (error) {
      if (tried === MOST_TRIES || !IN_EACH_OTHERS_WAY.has(sqlState(error) ?? "")) throw error;
    }
}

/** A lock that was waited for too long, a deadlock, and a call that another one overtook. */
const IN_EACH_OTHERS_WAY = new Set(["55P03", "40P01", "40001"]);

async function apply(gateway: Gateway, of: Sender, one: Observation): Promise<boolean> {
  const { db, clock } = gateway.app;
  const now = new Date(clock.now()).toISOString();
  const phone_number_id = parseId("num", of.phoneNumberId) ?? "";
  const claim = claimOf({ waId: one.waId, userId: one.userId, parentUserId: null }, SCOPE);
  if (one.by === "answer") {
    const row: SendResultRow = {
      slot: 0,
      seq: -1, // no queue row is involved
      workspace_id: of.uuid,
      message_id: one.message.id,
      attempt: 1,
      outcome: "accepted",
      at: now,
      provider_message_id: one.message.wamid,
      error: null,
      due: now,
      lane: 0,
      recipient: "0",
      worker: null,
      takes_thread: null,
      hands: null,
      ...claim,
    };
    return (await db.call(settleSends, [row], clock.now())).at(-1)?.has_evidence ?? false;
  }
  const reported = { workspace_id: of.uuid, phone_number_id };
  if (one.by === "status") {
    const { id: message_id, wamid: provider_message_id } = one.message;
    const { bit } = REPORTS.sent;
    const status = { kind: "status", ...reported, message_id, provider_message_id, bit, at: now } as const;
    return (
      (
        await db.call(
          takeReports,
          [
            {
              ...status,
              error: null,
              pricing: null,
              conversation: null,
              callback_id: null,
              ...NO_PERSON_NAMED,
              ...claim,
            },
          ],
          clock.now(),
        )
      ).at(-1)?.has_evidence ?? false
    );
  }
  const { messages } = textFrom(one.waId ?? "", one.id, "Hi", one.atMs) as { messages: object[] };
  const contact = { ...(one.waId && { wa_id: one.waId }), ...(one.userId && { user_id: one.userId }) };
  const message = {
    ...messages[0],
    ...(one.waId === null && { from: undefined }),
    ...(one.userId && { from_user_id: one.userId }),
    ...(one.quotes && { context: { id: one.quotes.wamid } }),
  };
  return await takeValue(gateway, of, { contacts: [contact], messages: [message] });
}

/** Takes what one value of a callback reports, as a process does that knows of no other callback; true as `observe`. */
export const takeAlone = (gateway: Gateway, of: Sender, value: object): Promise<boolean> =>
  untilDone(() => takeValue(gateway, of, value));

async function takeValue(gateway: Gateway, of: Sender, value: object): Promise<boolean> {
  const { app } = gateway;
  const { changes } = parseCallback(Buffer.from(JSON.stringify(callbackOf(of.account, value))));
  const rows = changes.filter(isOfNumber).map((change) =>
    takenRowOf(app, {
      callbackId: newUuid(app.clock.now()),
      workspaceId: of.uuid,
      phoneNumberId: parseId("num", of.phoneNumberId) ?? "",
      userIdScope: SCOPE,
      change,
    }),
  );
  return (await app.db.call(takeReports, rows, app.clock.now())).at(-1)?.has_evidence ?? false;
}

let sends = 0;
/** Accepts a message to a number, in digits, and lets the provider name it, so that it can be quoted. */
export async function sendObserved(gateway: Gateway, of: Sender, digits: string): Promise<SentMessage> {
  const { status, body, text } = await of.send(`+${digits}`);
  if (status !== 202) throw new Error(`not accepted: ${text}`);
  const message = { id: parseId("msg", body.id) ?? "", wamid: `wamid.observed.${(sends += 1)}` };
  await observe(gateway, of, { by: "answer", message, waId: null, userId: null });
  return message;
}
