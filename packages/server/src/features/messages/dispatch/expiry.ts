import type { App } from "../../../ctx.ts";
import { hintCommitted } from "../../webhooks/event.ts";
import { messageError } from "../message-error.ts";
import { EXPIRED_A_CALL, expireSends } from "./expire.store.ts";

/** How often messages are ended whose time is over: `expires_at` holds to about a second. */
export const EXPIRE_EVERY_MS = 1_000;
/** Calls of one round: the rest waits for the next one. */
const MOST_CALLS = 50;

export const EXPIRED = messageError("expired", "It was not sent before its expires_at.");

/** Ends the messages whose `expires_at` has passed before their turn came. */
export async function expireMessages({ db, clock, notifier, log }: App): Promise<void> {
  for (let call = 0; call < MOST_CALLS; call++) {
    const ask = { up_to: new Date(clock.now()).toISOString(), error: EXPIRED };
    const ended = await db.call(expireSends, [ask], clock.now());
    hintCommitted(notifier, ended);
    for (const { workspace_id, message_id } of ended)
      log.info({ workspace_id, message_id, outcome: "expired" }, "dispatch");
    if (ended.length < EXPIRED_A_CALL) return;
  }
}
