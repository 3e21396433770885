import { describe, expect, it } from "vitest";
import { ERROR_CLASSES, ruleOf } from "../../../provider/error-table.ts";
import type { ErrorClass } from "../../../provider/provider.ts";
import { person, startSenders } from "../testing/senders.ts";

// What becomes of a message in each way in which the provider may answer it: its state, its history, its events, the calls.

/** Long for an answer of the simulator, also on a busy machine. */
const ANSWERED_WITHIN_MS = 3_000;
const { gateway, sentTo } = await startSenders({}, { providerTimeoutMs: ANSWERED_WITHIN_MS });
const { simulator, clock } = gateway;

const MINUTE_MS = 60_000;
const SENT = ["delivered", "read", "sent"];
const ALL = ["accepted", ...SENT];

type Case = {
  name: string;
  fault: Parameters<typeof simulator.addFault>[0];
  marketing?: boolean;
  /** When the provider reports after it has accepted; else at once. */
  reportedMs?: number;
  /** How far the clock is moved at a time while the end is waited for. */
  stepMs?: number;
  ends: string;
  /** Reports, sorted. */
  reports: readonly string[];
  /** Requests that reached the provider. */
  calls: number;
  error?: object | null;
  /** Kinds of the events of account and number. */
  others?: readonly string[];
};

/** The provider refuses the first request with a code. */
const refusedOnce = (code: number, more: Partial<Case> = {}): Case => ({
  name: `${code} (${ruleOf(code, { httpStatus: 400, isTransient: false }).class})`,
  fault: { kind: "refuse", code },
  stepMs: 3_000,
  ends: "read",
  reports: ALL,
  calls: 2,
  error: null,
  ...more,
});
/** The provider refuses it, and that is the end. */
const refused = (code: number, more: Partial<Case> = {}): Case =>
  refusedOnce(code, {
    ends: "failed",
    reports: ["failed"],
    calls: 1,
    error: {
      code: ruleOf(code, { httpStatus: 400, isTransient: false }).code,
      provider: { code, title: expect.any(String), details: expect.any(String), trace_id: expect.any(String) },
    },
    ...more,
  });

const REFUSALS: readonly Case[] = [
  refusedOnce(190),
  refusedOnce(368, { stepMs: MINUTE_MS, others: ["account_changed", "account_changed"] }),
  refusedOnce(10),
  refused(131042),
  refusedOnce(130429),
  refusedOnce(131056),
  refused(131048, { others: ["phone_number_changed"] }),
  refusedOnce(131048, {
    name: "131048 of marketing (spam)",
    marketing: true,
    stepMs: 10 * MINUTE_MS,
    others: ["phone_number_changed", "phone_number_changed"],
  }),
  refusedOnce(131064, { stepMs: 10 * MINUTE_MS }),
  refusedOnce(131016),
  refusedOnce(131053, { stepMs: 10_000 }),
  refused(131053, {
    name: "131053 twice (media)",
    fault: { kind: "refuse", code: 131053, count: 7 },
    stepMs: 10_000,
    calls: 2,
  }),
  refused(131009),
  refused(100),
  refused(131026),
  refused(131049, { marketing: true }),
  refused(131047),
];

/** The connection is reset, the answer is a page, has no id, or does not come. */
const LOST: readonly Case[] = (["reset", "html", "no_id", "hang"] as const).flatMap((kind): Case[] => [
  {
    name: `an answer that is lost (${kind}) before the provider has the message`,
    fault: { kind, accept: false },
    stepMs: 2 * MINUTE_MS,
    ends: "unknown",
    reports: ["unknown", "unknown"],
    calls: 1,
    error: { code: "provider_error", retryable: false },
  },
  {
    name: `an answer that is lost (${kind}) after the provider has accepted it`,
    fault: { kind, accept: true },
    // After the loss is stored: what is settled before is never unknown.
    reportedMs: kind === "hang" ? 2 * ANSWERED_WITHIN_MS : 3_000,
    ends: "read",
    reports: [...SENT, "unknown"].toSorted(),
    calls: 1,
  },
]);

const STATUSES: readonly Case[] = [
  { name: "statuses before the answer", fault: { kind: "early" }, ends: "read", reports: ALL, calls: 1 },
  {
    name: "reversed statuses",
    fault: { kind: "statuses", statuses: ["read", "delivered", "sent"] },
    ends: "read",
    reports: ALL,
    calls: 1,
  },
  {
    name: "each status twice",
    fault: { kind: "statuses", statuses: ["sent", "sent", "delivered", "delivered", "read", "read"] },
    ends: "read",
    reports: ALL,
    calls: 1,
  },
  {
    name: "a failure after it was accepted",
    fault: { kind: "fail", code: 131026 },
    ends: "failed",
    reports: ["accepted", "failed"],
    calls: 1,
    error: { code: "recipient_unreachable", provider: { code: 131026 } },
  },
  {
    name: "a failure on one device after it was delivered on another",
    fault: { kind: "statuses", statuses: ["sent", "delivered", "failed"], code: 131026 },
    ends: "delivered",
    reports: ["accepted", "delivered", "failed", "sent"],
    calls: 1,
  },
];

describe("what becomes of a message", () => {
  it("has a case for each class of the provider's codes", () => {
    const classes = REFUSALS.map(({ fault }) => ruleOf(fault.code ?? 0, { httpStatus: 400, isTransient: false }).class);
    // No answer of the provider: unreachable.test.ts.
    expect(new Set(["unreachable", ...classes])).toEqual(new Set(Object.keys(ERROR_CLASSES) as ErrorClass[]));
  });

  it.each([...REFUSALS, ...LOST, ...STATUSES])("$name", async (one) => {
    simulator.setDelays({ statuses: true, sentMs: one.reportedMs ?? 0, deliveredMs: 0, readMs: 0 });
    const mine = await gateway.sender();
    const to = person();
    simulator.addFault({ ...one.fault, recipient: to });
    const promo = { template: { name: "promo_spring", language: { code: "en_US" } } };
    const { status, body } = await mine.send(to, one.marketing ? promo : {});
    expect(status).toBe(202);
    const look = async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body;
    const reports = async () => {
      clock.advance(one.stepMs ?? 0);
      return (await look()).history.map((report: { status: string }) => report.status).toSorted();
    };
    // A refusal after which it was tried again is in the history alone.
    const again = one.fault.kind === "refuse" ? Array.from({ length: one.calls - 1 }, () => "queued") : [];
    // Not so often where each look moves the clock by minutes.
    const interval = (one.stepMs ?? 0) > 10_000 ? 250 : 50;
    await expect.poll(reports, { timeout: 30_000, interval }).toEqual([...one.reports, ...again].toSorted());
    const message = await look();
    for (const entry of message.history.filter(({ status: shown }: { status: string }) => shown === "queued"))
      expect(entry.error).toMatchObject({ retryable: false, provider: { code: one.fault.code } });
    expect(message).toMatchObject({ status: one.ends, ...(one.error === undefined ? {} : { error: one.error }) });
    const events = await mine.rows<{ kind: string }>("select kind from event where message_id is not null");
    expect(events.map(({ kind }) => kind).toSorted()).toEqual(one.reports);
    const others = async () => {
      clock.advance(one.stepMs ?? 0);
      const rows = await mine.rows<{ kind: string }>(
        "select kind from event where resource_id is not null order by sequence",
      );
      return rows.map(({ kind }) => kind);
    };
    await expect.poll(others, { timeout: 30_000, interval: 250 }).toEqual(one.others ?? []);
    expect(sentTo(to)).toHaveLength(one.calls);
    // Whatever happened, no second copy.
    expect(sentTo(to).filter(({ accepted }) => accepted).length).toBeLessThanOrEqual(1);
    expect(message.possible_duplicate).toBe(false);
    // A lost answer is waited for, also when statuses have settled it.
    const queued = () => {
      clock.advance(2 * MINUTE_MS);
      return mine.rows("select 1 from dispatch");
    };
    await expect.poll(queued, { timeout: 30_000, interval: 250 }).toEqual([]);
    expect(sentTo(to)).toHaveLength(one.calls);
    expect((await look()).status).toBe(one.ends);
  });
});
