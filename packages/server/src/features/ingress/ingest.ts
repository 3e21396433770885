import type { House } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import { DatabaseUnavailable } from "../../db/database.ts";
import type { Disposition, LaneKind, LaneSettings, QueueRow } from "../../lanes/kind.ts";
import { newUuid } from "../../lib/ids.ts";
import type { CallbackChange } from "../../provider/provider.ts";
import type { Reports } from "../messages/reports.ts";
import { type FinishRow, finishIngest, ingestQueue, type LoadedCallback, loadCallbacks } from "./ingress.store.ts";
import type { Routes } from "./routing.ts";

/** What ingest tells the other features; each is safe to repeat. */
export type IngestDoors = {
  reports: Reports;
  routes: Routes;
  /** The provider says that a template changed: fetch it again. */
  templateChanged(workspaceId: string, businessAccountId: string, providerTemplateId: string): Promise<void>;
};

/** Callbacks parsed at once in this process; each lane has its own smaller bound. */
const IN_FLIGHT = 200;
const LANE_CONCURRENCY = { start: 16, most: 64 };
/** A callback whose changes fail for their own sake (not because the database is away) is set aside after this many tries. */
const TRIES = 5;
const AGAIN_MS = 2_000;

type Aside = FinishRow["quarantine"][number];

/** The ingest lanes: one writer a number. Parses committed callbacks change by change; a bad one never blocks its neighbours. */
export function createIngest(house: House, doors: IngestDoors): { kind: LaneKind; stop(): Promise<void> } {
  const { db, clock, log, provider } = house;
  const loads = batchCalls<{ id: string }, LoadedCallback>({ db, clock, fn: loadCallbacks, group: () => "" });
  const finishes = batchCalls<FinishRow, { done: boolean }>({ db, clock, fn: finishIngest, group: () => "" });

  async function work(row: QueueRow): Promise<Disposition> {
    try {
      const callback = await loads.submit({ id: row.itemId });
      const aside = callback.body === null ? [] : await apply(row, callback);
      await finish(row, aside, null);
      return { kind: "done" };
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return { kind: "again" };
      return await afterFailure(row, error);
    }
  }

  async function apply(row: QueueRow, callback: LoadedCallback): Promise<Aside[]> {
    const parsed = provider.parseCallback(callback.body);
    const aside: Aside[] = parsed.json ? [] : [asideOf(null, "not_json")];
    const failures: unknown[] = [];
    const fates = await Promise.allSettled(parsed.changes.map((change) => applyChange(change)));
    fates.forEach((fate, index) => {
      if (fate.status === "rejected") failures.push(fate.reason);
      else if (fate.value !== null) aside.push(asideOf(parsed.changes[index] ?? null, fate.value));
    });
    log.info(
      {
        callback_id: callback.id,
        changes: parsed.changes.length,
        set_aside: aside.length,
        failed: failures.length,
        age_ms: clock.now() - callback.received_at.getTime(),
      },
      "callback parsed",
    );
    // Whatever could be applied is; the whole callback comes again for the rest, and applying twice does nothing.
    if (failures.length > 0) throw failures.find((failure) => failure instanceof DatabaseUnavailable) ?? failures[0];
    return aside;
  }

  /** Null when applied, else why it is set aside. */
  async function applyChange(change: CallbackChange): Promise<string | null> {
    switch (change.kind) {
      case "status":
      case "message": {
        const owner = await doors.routes.ofNumber(change.providerPhoneNumberId);
        if (!owner) return "unowned";
        if (change.kind === "message")
          return await doors.reports.received(owner.workspaceId, owner.phoneNumberId, change);
        return await doors.reports.reported(owner.workspaceId, change);
      }
      case "template_status": {
        const owner = await doors.routes.ofAccount(change.providerAccountId);
        if (!owner) return "unowned";
        await doors.templateChanged(owner.workspaceId, owner.businessAccountId, change.providerTemplateId);
        return null;
      }
      case "other":
        return `not_handled ${change.field}`;
      case "unrecognized":
        return change.reason;
    }
  }

  async function afterFailure(row: QueueRow, error: unknown): Promise<Disposition> {
    const last = row.attempt + 1 >= TRIES;
    log.error(
      { err: error, callback_id: row.itemId, attempt: row.attempt + 1 },
      last ? "callback set aside" : "callback failed; it will be tried again",
    );
    const due = last ? null : clock.now() + AGAIN_MS * 4 ** row.attempt;
    try {
      await finish(row, last ? [asideOf(null, "failed")] : [], due);
    } catch {
      return { kind: "again" };
    }
    return due === null ? { kind: "done" } : { kind: "later", due, holdsKey: false };
  }

  const finish = (row: QueueRow, quarantine: Aside[], due: number | null): Promise<{ done: boolean }> =>
    finishes.submit({
      slot: row.slot,
      seq: row.seq,
      callback_id: row.itemId,
      due: due === null ? null : new Date(due).toISOString(),
      quarantine,
    });

  function asideOf(change: CallbackChange | null, reason: string): Aside {
    const phone = change && "providerPhoneNumberId" in change ? change.providerPhoneNumberId : null;
    const account = change && "providerAccountId" in change ? change.providerAccountId : null;
    // The change itself only where the raw callback would not tell which one it was.
    return {
      id: newUuid(clock.now()),
      reason,
      provider_phone_number_id: phone,
      provider_account_id: account,
      change: change && "value" in change ? change.value : null,
    };
  }

  const settings = (lanes: readonly number[]): Promise<Map<number, LaneSettings>> =>
    Promise.resolve(
      new Map(
        lanes.map((lane) => [
          lane,
          // Fair between numbers: each lane stands for itself.
          {
            workspaceId: String(lane),
            ratePerSecond: null,
            concurrency: LANE_CONCURRENCY,
            ordered: false,
            keyPace: null,
            closed: false,
          },
        ]),
      ),
    );

  return {
    kind: { name: "ingest", role: "ingress", queue: ingestQueue, inFlight: IN_FLIGHT, settings, work },
    stop: async () => void (await Promise.all([loads.drained(), finishes.drained()])),
  };
}
