import { STARTED, UNKNOWN } from "../../lanes/lane-kinds.ts";

/**
 * Statuses as bits of `message_state.seen`, each reported once. The highest rank ever seen is the status, in whatever
 * order reports arrive; `played` counts as `read` and has its own event, `given_up` is a second `unknown`.
 */
export const REPORTS = {
  unknown: { bit: 1, rank: 2 },
  accepted: { bit: 2, rank: 3 },
  sent: { bit: 4, rank: 4 },
  failed: { bit: 8, rank: 5 },
  delivered: { bit: 16, rank: 6 },
  read: { bit: 32, rank: 7 },
  played: { bit: 64, rank: 7 },
  given_up: { bit: 128, rank: 2 },
  // Only from queued and scheduled: no other report can have been stored before.
  canceled: { bit: 256, rank: 8 },
  expired: { bit: 512, rank: 9 },
  // Of older versions of the provider: they say nothing of how far the message came.
  deleted: { bit: 1024, rank: 0 },
  warning: { bit: 2048, rank: 0 },
} as const;
export type Report = keyof typeof REPORTS;
export const REPORT_NAMES = Object.keys(REPORTS) as Report[]; // of the object above

/** Bits that prove how a send ended: any of them settles a lost answer. */
export const EVIDENCE_BITS =
  REPORTS.accepted.bit |
  REPORTS.sent.bit |
  REPORTS.failed.bit |
  REPORTS.delivered.bit |
  REPORTS.read.bit |
  REPORTS.played.bit;

/** Bits of the ends of a message that has not reached its person. */
export const UNREACHED_BITS = REPORTS.failed.bit | REPORTS.canceled.bit | REPORTS.expired.bit;

export const MESSAGE_STATUSES = [
  "scheduled",
  "queued",
  "sending",
  "accepted",
  "sent",
  "delivered",
  "read",
  "failed",
  "canceled",
  "expired",
  "unknown",
  "received",
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Of reported ones. */
export const STATUS_OF_RANK: Record<number, MessageStatus> = {
  2: "unknown",
  3: "accepted",
  4: "sent",
  5: "failed",
  6: "delivered",
  7: "read",
  8: "canceled",
  9: "expired",
};

/** Before anything was reported, the status follows from the queue row's state (lane-kinds.ts); null without a row. */
export function statusOf(rank: number, queueState: number | null, scheduled: boolean): MessageStatus {
  const reported = STATUS_OF_RANK[rank];
  if (reported) return reported;
  if (queueState === STARTED) return "sending";
  if (queueState === UNKNOWN) return "unknown";
  return scheduled ? "scheduled" : "queued";
}

/** True when nothing more is tried or expected, late evidence aside. */
export function isFinal(status: MessageStatus, seen: number): boolean {
  if (status === "unknown") return (seen & REPORTS.given_up.bit) !== 0;
  return (
    status === "read" || status === "failed" || status === "canceled" || status === "expired" || status === "received"
  );
}

/** The name of a report in events and history. */
export const reportedStatus = (report: Report): string => (report === "given_up" ? "unknown" : report);

/** The kind of the event of a report. `deleted` is what happens to a template. */
export const eventKindOf = (report: Report): string =>
  report === "deleted" ? "message_deleted" : reportedStatus(report);

/** The report of a stored bit. */
export function reportOfBit(bit: number): Report {
  const found = REPORT_NAMES.find((report) => REPORTS[report].bit === bit);
  if (!found) throw new Error(`no report has the bit ${bit}`);
  return found;
}
