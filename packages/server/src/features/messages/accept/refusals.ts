import { CommitUnknown, LockHeld } from "../../../db/database.ts";
import { expiredKey, keyInProgress, reusedKey } from "../../../http/idempotency.ts";
import { Problem, problemAt, referenceNotFound } from "../../../http/problem.ts";
import { filesOfContent } from "../files-of-content.ts";
import { pointerToNamed } from "../types.ts";
import type { AcceptAnswer } from "./accept.store.ts";
import type { AcceptRow } from "./accept-input.ts";

/** An outcome of `accept_messages` that is neither an acceptance nor a replay. */
type Refusal = Exclude<AcceptAnswer["outcome"], "accepted" | "replay">;

/** The problem of a refusal, which is the outcome of an answer to `row`. */
export function refusalOf(
  outcome: Refusal,
  { resource, room_at }: Pick<AcceptAnswer, "resource" | "room_at">,
  row: AcceptRow,
): Problem {
  switch (outcome) {
    case "reused":
      return reusedKey({ at: null, resourceId: resource ?? "" });
    case "expired_key":
      return expiredKey({ at: null, resourceId: resource ?? "" });
    case "stranger":
      return new Problem("unavailable", "The recipient's contact is being erased; try again.");
    case "stale_template":
      return templateProblem("template_not_approved", templateOf(row), "The template is changing; try again.");
    case "template_not_found":
    case "template_not_approved":
      return templateProblem(outcome, templateOf(row), "The template cannot be sent now.");
    case "reference_not_found":
      return referenceNotFound("/to");
    case "reference_not_found_reply_to":
      return referenceNotFound(
        pointerToNamed(row.type),
        "There is no such message with this person at this phone number.",
      );
    case "media_not_found":
      return problemAt(outcome, pointerToMedia(row), "A media that the message names is gone.");
    case "out_of_reach":
      return referenceNotFound(
        "/to",
        "The person cannot be written to from this number: no phone number of theirs is known, and no user id of its business portfolio.",
      );
    case "messaging_limit_reached":
      return limitReached(room_at, Date.parse(row.now));
    case "recipient_opted_out":
      return new Problem(
        outcome,
        row.fallback === undefined
          ? "The recipient has opted out of marketing messages."
          : "The recipient has opted out of marketing messages, and the fallback is one.",
      );
    case "sender_unavailable":
    case "thread_not_owned":
    case "window_closed":
      return new Problem(outcome, REFUSALS[outcome]);
  }
}

/** `room_at`: when there is room again. A second at least: by then the message may be of a person who was written to before. */
export const limitReached = (room_at: Date | string | null, now: number): Problem =>
  new Problem(
    "messaging_limit_reached",
    "The business portfolio has written to as many people outside their windows as it may within 24 hours.",
    { retryAfterSeconds: Math.max(1, Math.ceil((new Date(room_at ?? 0).getTime() - now) / 1_000)) },
  );

/** Of a number that resolving a send found unusable, and of one that became so before the commit. */
const CANNOT_SEND = "The phone number, or its account, cannot send now.";

const REFUSALS = {
  sender_unavailable: CANNOT_SEND,
  thread_not_owned:
    "Another responder answers this person at this number now; send with `take: true`, which takes the conversation over, or wait until it is released.",
  window_closed:
    "No message of this person came to this number in the last 24 hours; send a template, or give one as `fallback`.",
};

/** What the caller gets when a call of `accept_messages` fails. */
export function storeFault(error: unknown, row: AcceptRow): unknown {
  if (error instanceof LockHeld && error.table === "idempotency_key") return keyInProgress(error);
  if (!(error instanceof CommitUnknown)) return error;
  // With a key the client may safely repeat the request; without one it needs the id to look for.
  if (row.key !== undefined)
    return new Problem(
      "unavailable",
      "The database went away while this was being stored; the same request with its key is safe.",
      { cause: error },
    );
  return new Problem(
    "internal",
    `It is not known whether ${row.public_id} was stored; look for it before sending again.`,
    {
      cause: error,
      resourceId: row.public_id,
    },
  );
}

/** `at` points at the template. */
export const templateProblem = (
  code: "template_not_found" | "template_not_approved",
  at: string,
  detail: string,
): Problem => problemAt(code, at, detail);

/** The first of them: which one is gone was not said. */
const pointerToMedia = ({ type, content, fallback }: AcceptRow): string => {
  const [first] = [...filesOfContent(type, content), ...filesOfContent("template", fallback, "/fallback/template")];
  return first === undefined ? "" : `${first.at}/id`;
};

const templateOf = ({ fallback }: AcceptRow): string => (fallback === undefined ? "/template" : "/fallback/template");
