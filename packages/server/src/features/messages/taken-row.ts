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
export const takenRowOf = (app: App, event: ProviderEvent): TakenRow =>
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
