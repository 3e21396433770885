import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatId, parseId } from "../../../lib/ids.ts";
import { NO_CLAIM, NO_PERSON_NAMED } from "../../identity/reported-identifiers.ts";
import { EVIDENCE_BITS, isFinal, REPORTS, type Report, statusOf } from "../../threads/status.ts";
import type { SendResultRow } from "../dispatch/send-result.sql.ts";
import { settleSends } from "../dispatch/settle.store.ts";
import { startSenders } from "../testing/senders.ts";
import { takeReports } from "./provider-events.store.ts";
import { joinParked, type ReportRow } from "./status.store.ts";

// No process dispatches here: the test calls what lanes and ingress would call, in any order, several at once.
const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" }, { roles: ["api", "maintenance"] });

/** One thing that happens to a sent message. */
type Happening =
  | { by: "lane"; outcome: "accepted" | "unknown" | "silence" }
  /** `named`: with our own value; else only by the provider's id, which may not be known yet. */
  | { by: "callback"; status: "sent" | "delivered" | "read" | "played" | "failed"; named: boolean };

const happening = (message: { id: string; wamid: string }, one: Happening): Promise<object[]> => {
  const { db, clock } = gateway.app;
  const at = new Date(clock.now()).toISOString();
  if (one.by === "lane") {
    const row: SendResultRow = {
      slot: 0,
      seq: -1, // no queue row is involved
      workspace_id: mine.uuid,
      message_id: message.id,
      attempt: 1,
      outcome: one.outcome,
      at,
      provider_message_id: one.outcome === "accepted" ? message.wamid : null,
      error: null,
      due: at,
      lane: 0,
      recipient: "0",
      worker: null,
      takes_thread: null,
      hands: null,
      ...NO_CLAIM,
    };
    return db.call(settleSends, [row], clock.now());
  }
  const row: ReportRow = {
    kind: "status",
    workspace_id: mine.uuid,
    phone_number_id: parseId("num", mine.phoneNumberId) ?? "",
    message_id: one.named ? message.id : null,
    provider_message_id: message.wamid,
    bit: REPORTS[one.status].bit,
    at,
    error:
      one.status === "failed"
        ? { code: "recipient_unreachable", title: "t", detail: "d", retryable: false, remedy: "r" }
        : null,
    pricing: null,
    conversation: null,
    callback_id: null,
    ...NO_PERSON_NAMED,
  };
  return db.call(takeReports, [row], clock.now());
};

const lane = fc.constantFrom("unknown", "silence").map((outcome): Happening => ({ by: "lane", outcome }));
const callback = fc.record<Happening & { by: "callback" }>({
  by: fc.constant("callback"),
  status: fc.constantFrom("sent", "delivered", "read", "played", "failed"),
  named: fc.boolean(),
});
/** Groups of happenings, each group at once. One of them is always the answer, so that every id becomes known. */
const course = fc
  .tuple(fc.array(callback, { maxLength: 6 }), fc.array(lane, { maxLength: 2 }))
  .chain(([callbacks, lanes]) => {
    const all: Happening[] = [...callbacks, ...lanes, { by: "lane", outcome: "accepted" }];
    return fc.tuple(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: all.length, maxLength: all.length }),
    );
  });

const MINUTE_MS = 60_000;
let people = 0;
async function play(order: readonly Happening[], sizes: readonly number[]) {
  const to = `+1555600${String((people += 1)).padStart(4, "0")}`;
  const { body } = await mine.send(to);
  const message = { id: parseId("msg", body.id) ?? "", wamid: `wamid.${people}` };
  let next = 0;
  for (const size of sizes) {
    await Promise.all(order.slice(next, next + size).map((one) => happening(message, one)));
    next += size;
  }
  await join();
  return message;
}

/** Joins parked statuses as the timer does, once every call of the test has ended. */
const join = () => {
  const now = gateway.clock.now();
  return gateway.app.db.call(joinParked, [{ up_to: new Date(now + MINUTE_MS).toISOString() }], now);
};

const reportOf = (one: Happening): Report =>
  one.by === "callback" ? one.status : one.outcome === "silence" ? "given_up" : one.outcome;

describe("whatever the order of answer, callbacks and settling", () => {
  it("the final state is the same, each report has one history entry and one event", async () => {
    await fc.assert(
      fc.asyncProperty(course, async ([order, sizes]) => {
        const message = await play(order, sizes);
        const reports = new Set(order.map(reportOf));
        const evidence = [...reports].filter((report) => (REPORTS[report].bit & EVIDENCE_BITS) !== 0);
        const rank = Math.max(...evidence.map((report) => REPORTS[report].rank));
        const { body } = await mine.call("GET", `/v1/messages/${formatId("msg", message.id)}`);
        const expected = statusOf(rank, null, false);
        expect(body).toMatchObject({
          status: expected,
          final: isFinal(expected, 0),
          provider_message_id: message.wamid,
        });
        for (const [field, of] of [
          ["accepted_at", ["accepted"]],
          ["sent_at", ["sent"]],
          ["delivered_at", ["delivered"]],
          ["read_at", ["read", "played"]],
          ["failed_at", ["failed"]],
        ] as const) {
          expect([field, body[field] !== null]).toEqual([field, of.some((report) => reports.has(report))]);
        }

        const bits = (rows: { bit: number }[]) =>
          rows.map(({ bit }) => bit).filter((bit) => (bit & EVIDENCE_BITS) !== 0);
        const history = await mine.rows<{ bit: number }>("select bit from history where message_id = $1", [message.id]);
        const numbers = (values: number[]) => values.toSorted((a, b) => a - b);
        expect(numbers(bits(history))).toEqual(numbers(evidence.map((report) => REPORTS[report].bit)));
        const events = await mine.rows<{ kind: string }>("select kind from event where message_id = $1", [message.id]);
        const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== "unknown");
        expect(kinds.toSorted()).toEqual(evidence.toSorted());
        // Whether a loss is reported depends on the order, because evidence prevents it; but never twice the same.
        const losses = history.filter(({ bit }) => (bit & EVIDENCE_BITS) === 0);
        expect(events.length - kinds.length).toBe(losses.length);
        expect(
          await mine.rows("select 1 from message_state where id = $1 and provider_message_id is null", [message.id]),
        ).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("statuses of unknown ids wait, and are joined when the answer is stored", async () => {
    const order: Happening[] = [
      { by: "callback", status: "read", named: false },
      { by: "callback", status: "delivered", named: false },
      { by: "lane", outcome: "accepted" },
    ];
    const message = await play(order, [1, 1, 1]);
    const { body } = await mine.call("GET", `/v1/messages/${formatId("msg", message.id)}`);
    expect(body.status).toBe("read");
    expect(body.history.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      "accepted",
      "delivered",
      "read",
    ]);
  });
});
