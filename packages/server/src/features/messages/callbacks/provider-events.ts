import type { App } from "../../../ctx.ts";
import { batchCalls, isStandstill } from "../../../db/batched.ts";
import { newUuid } from "../../../lib/ids.ts";
import type { CallbackChange } from "../../../provider/provider.ts";
import type { Listeners } from "../../webhooks/endpoints/listeners.ts";
import { slotsOfMask } from "../../webhooks/events/event.sql.ts";
import { openOpaque } from "../dispatch/correlation-token.ts";
import { errorOfProvider } from "../message-error.ts";
import { REPORTS } from "../status.ts";
import type { InboundRow } from "./inbound.store.ts";
import { type TakenAnswer, type TakenRow, takeReports } from "./provider-events.store.ts";
import { joinParked, LOOKS_A_CALL, type ReportRow, trimParked } from "./status.store.ts";

type Change<K extends CallbackChange["kind"]> = Extract<CallbackChange, { kind: K }>;

/** A status or an inbound message, with the number that it is of. */
export type Report = { workspaceId: string; phoneNumberId: string; change: Change<"status"> | Change<"message"> };
/** What became of it: `aside` null when it was taken, else why it must be set aside; or an error, and nothing was done. */
export type Fate = { aside: string | null; messageId: string | null } | { error: unknown };

/** What callbacks say of messages. */
export type Reports = {
  /**
   * Takes reports in this order; one fate each. Safe to repeat. Callers that want an order between two calls for one number
   * wait for the first. When the database is away, those behind the first that met it have the same error.
   */
  take(reports: readonly Report[]): Promise<Fate[]>;
  /** Joins statuses that were parked while their message was being written. */
  joinParked(): Promise<void>;
  stop(): Promise<void>;
};

/** Reports handed to the batches at once: a callback of 3 MiB holds ten thousand, and must not fill what others wait in. */
const REPORTS_AT_ONCE = 1_000;
/** Of statuses that go to many endpoints one short statement at a time: an accept that comes meanwhile finds a processor. */
const FANNED_OUT = { flights: 1, weight: 100 };
/** Calls of one round of the join: together more than any gateway parks in five seconds. */
const MOST_JOIN_CALLS = 20;

/** `shared` tells failures that are most likely everybody's, such as a table that takes nothing. */
export function createReports(
  app: App,
  listeners: Listeners,
  { shared }: { shared(error: unknown): boolean },
): Reports {
  const { db, clock, log } = app;
  const committed = (answers: readonly { slots_mask: string }[]): void =>
    app.notifier.hint("deliver", slotsOfMask(answers.at(-1)?.slots_mask));
  const batch = batchCalls<TakenRow, TakenAnswer>({
    db,
    clock,
    fn: takeReports,
    group: (row) => row.workspace_id,
    inOrder: true,
    arrange: byRuns,
    weight: (row) => listeners.weightOf(row.workspace_id, ...kindsOf(row)),
    shared,
    committed,
    limits: FANNED_OUT,
  });

  async function take(reports: readonly Report[]): Promise<Fate[]> {
    const fates: Fate[] = [];
    for (let at = 0; at < reports.length; at += REPORTS_AT_ONCE) {
      const some = reports.slice(at, at + REPORTS_AT_ONCE);
      // Known before the first is handed in: a batch is bound by what its rows write.
      await Promise.all([...new Set(some.map(({ workspaceId }) => workspaceId))].map(listeners.known));
      const answers = await Promise.allSettled(some.map(async (report) => batch.submit(rowOf(app, report))));
      fates.push(...answers.map((answer, index) => fateOf(some[index] as Report, answer)));
      const away = fates.find((fate) => "error" in fate && isStandstill(fate.error));
      if (away) return [...fates, ...reports.slice(fates.length).map(() => away)];
    }
    return fates;
  }

  function fateOf({ workspaceId }: Report, answer: PromiseSettledResult<TakenAnswer>): Fate {
    if (answer.status === "rejected") return { error: answer.reason };
    const { outcome, message_id, other_provider_id } = answer.value;
    if (other_provider_id)
      log.error({ workspace_id: workspaceId, message_id }, "a message has two provider ids: it was sent twice");
    return { aside: outcome === "unknown_message" ? "unknown_message" : null, messageId: message_id };
  }

  async function join(): Promise<void> {
    for (let call = 0; call < MOST_JOIN_CALLS; call++) {
      const ask = JSON.stringify({ to: new Date(clock.now()).toISOString() });
      const looked = await db.call<Looked>(joinParked, [ask], clock.now());
      committed(looked);
      const numbers = new Map(
        looked.flatMap(({ workspace_id, phone_number_id }) =>
          phone_number_id === null ? [] : [[phone_number_id, JSON.stringify({ workspace_id, phone_number_id })]],
        ),
      );
      if (numbers.size > 0) await db.call(trimParked, [...numbers.values()], clock.now());
      if (looked.length < LOOKS_A_CALL) return;
    }
  }

  return { take, joinParked: join, stop: () => batch.drained() };
}

type Looked = { workspace_id: string; phone_number_id: string | null; slots_mask: string };

const rowOf = (app: App, report: Report): TakenRow =>
  report.change.kind === "status" ? statusRow(app, report, report.change) : messageRow(app, report, report.change);

const statusRow = ({ secrets }: App, report: Report, status: Change<"status">): ReportRow => ({
  kind: "status",
  workspace_id: report.workspaceId,
  phone_number_id: report.phoneNumberId,
  message_id: openOpaque(secrets, status.opaque)?.messageId ?? null,
  provider_message_id: status.providerMessageId,
  bit: REPORTS[status.status].bit,
  at: new Date(status.at).toISOString(),
  error: status.error ? errorOfProvider(status.error) : null,
  pricing: status.pricing ?? null,
});

function messageRow({ clock }: App, report: Report, message: Change<"message">): InboundRow {
  const now = clock.now();
  return {
    kind: "message",
    workspace_id: report.workspaceId,
    id: newUuid(now),
    phone_number_id: report.phoneNumberId,
    provider_message_id: message.providerMessageId,
    new_contact_id: newUuid(now),
    phone: message.from,
    wa_id: message.waId,
    user_id: message.userId,
    name: message.profileName,
    type: message.type,
    content: message.content,
    reply_to_provider_id: message.replyToProviderId,
    opens_window: message.opensWindow,
    // A clock ahead of ours must not keep a window open longer than a day from now.
    at: new Date(Math.min(message.at, now)).toISOString(),
  };
}

const KIND_OF_BIT = new Map<number, string>(Object.entries(REPORTS).map(([kind, { bit }]) => [bit, kind]));

/** The kinds of the events that a row writes at the most. */
const kindsOf = (row: TakenRow): string[] =>
  row.kind === "status" ? [KIND_OF_BIT.get(row.bit) ?? ""] : ["contact_created", "messages"];

/**
 * Rows of a number keep their order; over numbers, those of one kind are put together, because a run of one kind is one pass
 * of the function. Even rounds are statuses, odd ones messages.
 */
function byRuns(rows: readonly TakenRow[]): number[] {
  const rounds = new Map<string, number>();
  const roundOf = rows.map((row) => {
    const parity = row.kind === "status" ? 0 : 1;
    const before = rounds.get(row.phone_number_id) ?? parity;
    const round = before % 2 === parity ? before : before + 1;
    rounds.set(row.phone_number_id, round);
    return round;
  });
  return rows.map((_, index) => index).sort((a, b) => (roundOf[a] ?? 0) - (roundOf[b] ?? 0) || a - b);
}
