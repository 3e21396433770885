import type { Item } from "@waypost/sdk";

/** One entry of a message's history, as the API has it. */
export type Reported = { status: string; at: string; received_at: string; error: ReportedError | null };
export type ReportedError = {
  code: string;
  title: string;
  detail: string;
  remedy: string;
  retryable: boolean;
  provider?: {
    code: number;
    title: string;
    details: string | null;
    trace_id: string | null;
    href?: string;
  };
};

/** A line of what happened to a message. `sinceMs`: since the line before; null for the first. Times are milliseconds. */
type Line = { at: number; sinceMs: number | null };

/** A step of the message itself. */
export type Step = Line & {
  status: string;
  by: "waypost" | "provider" | "person";
  /** By how much later it was reported, where that is worth a word. */
  lateMs: number | null;
  error: ReportedError | null;
  /** Attempts that were refused for now, one after the other; the step stands for all of them. */
  tries: { at: number; error: ReportedError }[];
};

/** A delivery of an event of the message, at the time when it ended; until then at that of the event. */
export type Posted = Line & { delivery: Delivery; by: "waypost" | "receiver" };
type Delivery = Pick<
  Item<"deliveries.list">,
  "id" | "kind" | "status" | "attempt" | "webhook_endpoint_id" | "next_attempt_at" | "created_at" | "completed_at"
>;

/** A report that takes longer than this was late: callbacks come within seconds. */
const LATE_MS = 10_000;

const BY: Readonly<Record<string, Step["by"]>> = {
  accepted: "provider",
  sent: "provider",
  failed: "provider",
  warning: "provider",
  delivered: "person",
  read: "person",
  played: "person",
  received: "person",
};

type Given = {
  direction: "inbound" | "outbound";
  created_at: string;
  /** The provider's time of an inbound message. */
  occurred_at?: string | null;
  history: readonly Reported[];
};

/** What happened to a message, and to the deliveries of its events, in the order in which it happened. */
export function timelineOf(message: Given, deliveries: readonly Delivery[] = []): (Step | Posted)[] {
  const lines: (Step | Posted)[] = stepsOf(message);
  for (const posted of deliveries.map(postedOf).toSorted((one, other) => one.at - other.at))
    lines.splice(lines.findLastIndex(({ at }) => at <= posted.at) + 1, 0, posted);
  return lines.map((line, index) => {
    const previous = lines[index - 1];
    return { ...line, sinceMs: previous === undefined ? null : Math.max(0, line.at - endOf(previous)) };
  });
}

/** Attempts end with the last of them. */
const endOf = (line: Step | Posted): number => ("tries" in line ? line.tries.at(-1)?.at : undefined) ?? line.at;

const postedOf = (delivery: Delivery): Posted => ({
  delivery,
  at: Date.parse(delivery.completed_at ?? delivery.created_at),
  sinceMs: null,
  by: delivery.completed_at === null ? "waypost" : "receiver",
});

/** Steps in their order, whatever that of the reports. */
function stepsOf({ direction, created_at: created, occurred_at: occurred, history }: Given): Step[] {
  const begin =
    direction === "outbound"
      ? [stepOf({ status: "created", at: created, received_at: created, error: null })]
      : history.some(({ status }) => status === "received")
        ? []
        : [stepOf({ status: "received", at: occurred ?? created, received_at: created, error: null })];
  const reported = history.map(stepOf).toSorted(inOrder);
  return [...begin, ...reported].reduce<Step[]>((before, step) => {
    const last = before.at(-1);
    if (last !== undefined && last.tries.length > 0 && step.tries.length > 0) {
      last.tries.push(...step.tries);
      last.error = step.error;
      return before;
    }
    return [...before, step];
  }, []);
}

/** The provider gives whole seconds: within one the order is that of a message's life. A stable sort keeps that of the reports else. */
const inOrder = (one: Step, other: Step): number => {
  const [first, second] = [Math.floor(one.at / 1_000), Math.floor(other.at / 1_000)];
  return first === second ? LIFE.indexOf(one.status) - LIFE.indexOf(other.status) : first - second;
};
const LIFE = ["scheduled", "queued", "sending", "unknown", "accepted", "sent", "delivered", "read", "played"];

function stepOf({ status, at, received_at: received, error }: Reported): Step {
  const happened = Date.parse(at);
  const late = Date.parse(received) - happened;
  const isTry = status === "queued" && error !== null;
  return {
    status,
    at: happened,
    by: BY[status] ?? "waypost",
    sinceMs: null,
    lateMs: late > LATE_MS ? late : null,
    error,
    tries: isTry ? [{ at: happened, error }] : [],
  };
}
