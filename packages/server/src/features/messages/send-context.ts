import type { Actor } from "../../ctx.ts";
import type { AuditFields } from "../../http/activity.ts";
import type { RequestKey } from "../../http/idempotency.ts";
import { requestKey } from "../../http/idempotency-key.ts";
import type { Message, SendMessage } from "./schema.ts";

/** Who sends, for which workspace and when: what is needed of a request, or of what sends without one. */
export type SendCtx = {
  /** Uuid. */
  workspaceId: string;
  actor: Actor;
  /** Finds the send in the log, and in the audit log; a task gives its own id. */
  requestId: string;
  /** Milliseconds: the time of the message. */
  now: number;
  /** The same key gives the first answer again; see `sendKey`. Null: each call is a new message. */
  key: RequestKey | null;
  /** Of the call, for the audit row that is committed with the message. Null: there was no call, and there is no row. */
  audit: AuditFields | null;
  /** Until the provider has accepted or refused the message, so long at most. Null: it is answered once it is committed. */
  wait: { seconds: number; signal: AbortSignal } | null;
};

/** What accepting a message needs, under whatever key; a list has no one message to wait for. */
export type Accepting = Omit<SendCtx, "key" | "wait">;

/** A message that is committed. */
export type Sent = {
  /** As it was accepted, or as it was after the wait. */
  message: Message;
  /** It was accepted under this key before. */
  replayed: boolean;
  waited: boolean;
  /** Whose process sends it; null for one that was accepted before. */
  slot: number | null;
};

const SINGLE = ["POST", "/v1/messages"] as const;

/**
 * The key of a send: that of a `POST /v1/messages` with the body and this text as its key. No client can write a text with a line
 * break, so one makes a key that is no request's. `phoneNumberIds`: of the caller whose request it is.
 */
export const sendKey = (text: string, body: SendMessage, phoneNumberIds: Actor["phoneNumberIds"] = null): RequestKey =>
  requestKey(text, ...SINGLE, body, phoneNumberIds);
