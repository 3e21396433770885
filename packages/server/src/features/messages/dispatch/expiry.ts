import type { App } from "../../../ctx.ts";
import { hintCommitted } from "../../events/event.ts";
import { messageError } from "../message-error.ts";
import { ENDED_A_CALL, EXPIRY_LEFT_TO_LANE_MS, expireSends, giveUpSends } from "./expire.store.ts";

/** How often messages are ended whose time is over. */
export const EXPIRE_EVERY_MS = 1_000;
/** How often lost answers are looked for in closed lanes: a look steps through all lanes that have work. */
export const GIVE_UP_EVERY_MS = 60_000;
/** An open lane settles silence by itself when it is due. */
const LEFT_TO_LANE_MS = 60_000;
/** Calls of one round: the rest waits for the next one. */
const MOST_CALLS = 50;

export const EXPIRED = messageError("expired", "It was not sent before its expires_at.");

/** Ends the messages whose `expires_at` has passed before their turn came, where their lane has not. */
export function expireMessages(app: App): Promise<void> {
  const { db, clock } = app;
  const upTo = (): string => new Date(clock.now() - EXPIRY_LEFT_TO_LANE_MS).toISOString();
  return endMessages(app, "expired", () => db.call(expireSends, [{ up_to: upTo(), error: EXPIRED }], clock.now()));
}

/** Gives up the messages of closed lanes whose answer was lost ten minutes ago. */
export function giveUpMessages(app: App): Promise<void> {
  const { db, clock } = app;
  const upTo = (): string => new Date(clock.now() - LEFT_TO_LANE_MS).toISOString();
  return endMessages(app, "silence", () => db.call(giveUpSends, [{ up_to: upTo() }], clock.now()));
}

type Ended = { workspace_id: string; message_id: string; slots_mask: string };

async function endMessages({ notifier, log }: App, outcome: string, end: () => Promise<Ended[]>): Promise<void> {
  for (let call = 0; call < MOST_CALLS; call++) {
    const ended = await end();
    hintCommitted(notifier, ended);
    for (const { workspace_id, message_id } of ended) log.info({ workspace_id, message_id, outcome }, "dispatch");
    if (ended.length < ENDED_A_CALL) return;
  }
}
