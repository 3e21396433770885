import { describe, expect, it, vi } from "vitest";
import type { LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { parseId } from "../../../lib/ids.ts";
import { Metrics } from "../../../lib/metrics.ts";
import { withClient } from "../../../testing/client.ts";
import { PATIENCE } from "../../../testing/patience.ts";
import { Listeners } from "../../events/listeners.ts";
import { IdentityResolver } from "../../identity/resolver.ts";
import { SettledWaiters } from "../accept/settled-waiters.ts";
import { SentTwice } from "../sent-twice.ts";
import { startSenders } from "../testing/senders.ts";
import { Evidence } from "./evidence.ts";

// Nothing dispatches here: the test brings the outcome of a send.
const { gateway, mine } = await startSenders({}, { roles: ["api", "maintenance"] });

const ACCEPTED = { outcome: "accepted", error: null, providerMessageId: "wamid.evidence" } as const;

/** A queued message with its row, and the claim of a process whose lease is over. */
async function sent(to: string) {
  const { body } = await mine.send(to);
  const [row] = await mine.rows<{ slot: number; lane: number; seq: number; recipient: string }>(
    "select slot, lane, seq, recipient from dispatch where message_id = $1",
    [parseId("msg", body.id) ?? ""],
  );
  if (!row) throw new Error("the message is not queued");
  const queued: QueueRow = {
    slot: row.slot,
    lane: row.lane,
    seq: Number(row.seq),
    key: row.recipient,
    due: Number.NEGATIVE_INFINITY,
    workspaceId: mine.uuid,
    itemId: parseId("msg", body.id) ?? "",
    eventId: "",
    attempt: 0,
    state: 0,
    startedAt: null,
    expiresAt: null,
  };
  const stop = new AbortController();
  const claim: LaneClaim = {
    worker: "w",
    epoch: 1,
    valid: () => false,
    departure: () => Promise.resolve(),
    joinedWith: () => 1,
    pause: () => undefined,
    slow: () => undefined,
    signal: stop.signal,
  };
  let lines = 0;
  const count = (): void => void (lines += 1);
  const app = { ...gateway.app, log: { ...gateway.app.log, warn: count, error: count }, metrics: new Metrics() };
  const evidence = new Evidence(app, {
    listeners: new Listeners(app),
    identityResolver: new IdentityResolver(app),
    sentTwice: new SentTwice(app),
    awaited: new SettledWaiters(app),
  });
  let stored: unknown = null;
  return {
    id: body.id as string,
    queued,
    claim,
    evidence,
    stop: () => stop.abort(),
    stored: () => stored,
    store: () => void evidence.store(queued, 0, ACCEPTED, claim).then((disposition) => (stored = disposition)),
    /** Waits for a failed try, then moves the clock past the pause after it; as often as that takes for `ms` to pass. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms && stored === null; passed += LONGEST_PAUSE_MS) {
        await vi.waitFor(() => expect(lines).toBeGreaterThan(0), PATIENCE);
        lines = 0;
        gateway.clock.advance(LONGEST_PAUSE_MS);
      }
    },
  };
}

/** Of `storeOutcome`; a line is logged for each failure that comes a second or more after another. */
const LONGEST_PAUSE_MS = 2_000;

/** Storing any outcome fails while `fn` runs. */
async function withoutStoring(fn: () => Promise<void>): Promise<void> {
  await withClient(gateway.database.url, async (client) => {
    await client.query("alter table provider_message rename to provider_message_away");
    try {
      await fn();
    } finally {
      await client.query("alter table provider_message_away rename to provider_message");
    }
  });
}

describe("the outcome of a send that cannot be stored", () => {
  it("is kept past the lease, and stored when it can be", async () => {
    const one = await sent("+15552300001");
    await withoutStoring(async () => {
      one.store();
      await one.pass(40_000);
      expect(one.stored()).toBeNull();
    });
    await expect
      .poll(() => {
        gateway.clock.advance(LONGEST_PAUSE_MS);
        return one.stored();
      })
      .toEqual({ kind: "done" });
    expect(await mine.becomes(one.id, "accepted")).toMatchObject({ provider_message_id: ACCEPTED.providerMessageId });
    await one.evidence.drained();
  });

  it("is offered for 25 s of a stop and then given up; its row stays for the next owner", async () => {
    const one = await sent("+15552300002");
    await withoutStoring(async () => {
      one.store();
      await one.pass(60_000);
      one.stop();
      await one.pass(24_000);
      expect(one.stored()).toBeNull();
      await one.pass(60_000);
      await expect.poll(one.stored).toEqual({ kind: "again" });
      await one.evidence.drained();
    });
    expect((await mine.call("GET", `/v1/messages/${one.id}`)).body.status).toBe("queued");
    const rows = await mine.rows("select 1 from dispatch where message_id = $1", [one.queued.itemId]);
    expect(rows).toHaveLength(1);
  });
});
