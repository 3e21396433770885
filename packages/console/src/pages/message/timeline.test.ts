import { expect, test } from "vitest";
import { type Reported, timelineOf } from "./timeline.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 9, 0, second)).toISOString();
const error = { code: "provider_error", title: "", detail: "", remedy: "", retryable: true };
const said = (status: string, second: number, more: Partial<Reported> = {}): Reported => ({
  status,
  at: at(second),
  received_at: at(second),
  error: null,
  ...more,
});
const sent = (history: Reported[]) => ({ direction: "outbound", created_at: at(0), history }) as const;
const stepsOf = (message: Parameters<typeof timelineOf>[0]) => timelineOf(message).filter((line) => "status" in line);
const outbound = (history: Reported[]) => stepsOf(sent(history));

test("steps stand where they happened, with the time between them and who said it", () => {
  const steps = outbound([said("accepted", 1), said("read", 9), said("delivered", 4)]);
  expect(steps.map(({ status, sinceMs, by }) => [status, sinceMs, by])).toEqual([
    ["created", null, "waypost"],
    ["accepted", 1_000, "provider"],
    ["delivered", 3_000, "person"],
    ["read", 5_000, "person"],
  ]);
});

test("within one of the provider's whole seconds a message is accepted before it is sent", () => {
  const steps = outbound([said("sent", 1), said("accepted", 1, { at: at(1).replace(".000", ".498") })]);
  expect(steps.map(({ status, sinceMs }) => [status, sinceMs])).toEqual([
    ["created", null],
    ["accepted", 1_498],
    ["sent", 0],
  ]);
});

test("what was reported late says by how much", () => {
  const steps = outbound([said("unknown", 5), said("sent", 2, { received_at: at(42) })]);
  expect(steps.map(({ status, lateMs }) => [status, lateMs])).toEqual([
    ["created", null],
    ["sent", 40_000],
    ["unknown", null],
  ]);
});

test("refused attempts are one step, the last of them its error", () => {
  const last = { ...error, code: "rate_limited" };
  const steps = outbound([
    said("queued", 1, { error }),
    said("queued", 3, { error }),
    said("queued", 8, { error: last }),
    said("accepted", 10),
  ]);
  expect(steps.map(({ status, tries, sinceMs }) => [status, tries.length, sinceMs])).toEqual([
    ["created", 0, null],
    ["queued", 3, 1_000],
    ["accepted", 0, 2_000],
  ]);
  expect(steps[1]?.error).toBe(last);
});

test("an inbound message begins when the person wrote", () => {
  const steps = stepsOf({ direction: "inbound", created_at: at(50), occurred_at: at(1), history: [] });
  expect(steps.map(({ status, at, lateMs }) => [status, at, lateMs])).toEqual([
    ["received", Date.parse("2026-01-31T09:00:01.000Z"), 49_000],
  ]);
});

test("a delivery stands where it ended, or while it waits where its event was, and parts the time of the steps around it", () => {
  const delivery = (id: string, created: number, ended: number | null) => ({
    id,
    kind: "accepted",
    status: ended === null ? ("pending" as const) : ("succeeded" as const),
    attempt: 1,
    webhook_endpoint_id: "whe_1",
    next_attempt_at: null,
    created_at: at(created),
    completed_at: ended === null ? null : at(ended),
  });
  const lines = timelineOf(sent([said("accepted", 1), said("delivered", 6)]), [
    delivery("dlv_2", 6, null),
    delivery("dlv_1", 1, 4),
  ]);
  const nameOf = (line: (typeof lines)[number]) => ("delivery" in line ? line.delivery.id : line.status);
  expect(lines.map((line) => [nameOf(line), line.by, line.sinceMs])).toEqual([
    ["created", "waypost", null],
    ["accepted", "provider", 1_000],
    ["dlv_1", "receiver", 3_000],
    ["delivered", "person", 2_000],
    ["dlv_2", "waypost", 0],
  ]);
});
