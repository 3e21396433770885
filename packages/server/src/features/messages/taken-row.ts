import type { App } from "../../ctx.ts";
import { newUuid } from "../../lib/ids.ts";
import type { CallbackChange } from "../../provider/provider.ts";
import type { InboundRow } from "./callbacks/inbound.store.ts";
import type { TakenRow } from "./callbacks/provider-events.store.ts";
import type { ReportRow } from "./callbacks/status.store.ts";
import { openCorrelationToken } from "./dispatch/correlation-token.ts";
import { errorOfProvider } from "./message-error.ts";
import { REPORTS } from "./status.ts";

type Change<K extends CallbackChange["kind"]> = Extract<CallbackChange, { kind: K }>;

/** A status or an inbound message, with the number that it belongs to. */
export type ProviderEvent = {
  workspaceId: string;
  phoneNumberId: string;
  change: Change<"status"> | Change<"message">;
};
/** The row of `take_reports` for an event. */
export const rowOf = (app: App, event: ProviderEvent): TakenRow =>
  event.change.kind === "status" ? statusRow(app, event, event.change) : messageRow(app, event, event.change);

const statusRow = ({ secrets }: App, event: ProviderEvent, status: Change<"status">): ReportRow => ({
  kind: "status",
  workspace_id: event.workspaceId,
  phone_number_id: event.phoneNumberId,
  message_id: openCorrelationToken(secrets, status.correlationToken)?.messageId ?? null,
  provider_message_id: status.providerMessageId,
  bit: REPORTS[status.status].bit,
  at: new Date(status.at).toISOString(),
  error: status.error ? errorOfProvider(status.error) : null,
  pricing: status.pricing ?? null,
});

function messageRow({ clock }: App, event: ProviderEvent, message: Change<"message">): InboundRow {
  const now = clock.now();
  return {
    kind: "message",
    workspace_id: event.workspaceId,
    id: newUuid(now),
    phone_number_id: event.phoneNumberId,
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
    // A provider's clock that is ahead of ours must not keep a window open longer than a day from now.
    at: new Date(Math.min(message.at, now)).toISOString(),
  };
}

const KIND_OF_BIT = new Map<number, string>(Object.entries(REPORTS).map(([kind, { bit }]) => [bit, kind]));

/** The kinds of event that a row may write. */
export const kindsOf = (row: TakenRow): string[] =>
  row.kind === "status" ? [KIND_OF_BIT.get(row.bit) ?? ""] : ["contact_created", "messages"];

/**
 * The order in which rows are applied, as their indexes. Rows of a number keep their order; across numbers, rows of one kind
 * are put together, because a run of one kind is one pass of the function. Even rounds are statuses, odd ones messages.
 */
export function byRuns(rows: readonly TakenRow[]): number[] {
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
