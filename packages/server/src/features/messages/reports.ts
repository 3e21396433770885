import type { House } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import { newUuid } from "../../lib/ids.ts";
import type { CallbackChange } from "../../provider/provider.ts";
import { slotsOfWake } from "../webhooks/event.sql.ts";
import { type InboundAnswer, type InboundRow, receiveMessages } from "./inbound.store.ts";
import { errorOfProvider } from "./message-error.ts";
import { openOpaque } from "./opaque.ts";
import { joinParked, type ReportAnswer, type ReportRow, reportStatuses } from "./status.store.ts";
import { REPORTS } from "./status.ts";

type Change<K extends CallbackChange["kind"]> = Extract<CallbackChange, { kind: K }>;

/** What callbacks say of messages. Both give null when it was taken, else why it must be set aside. Safe to repeat. */
export type Reports = {
  reported(workspaceId: string, status: Change<"status">): Promise<string | null>;
  received(workspaceId: string, phoneNumberId: string, message: Change<"message">): Promise<string | null>;
  /** Joins statuses that were parked while their message was being written. */
  joinParked(): Promise<void>;
  stop(): Promise<void>;
};

export function createReports(house: House): Reports {
  const { db, clock, secrets, log } = house;
  const committed = (answers: { wake: string }[]): void =>
    house.wake.hint("deliver", slotsOfWake(answers.at(-1)?.wake));
  const statuses = batchCalls<ReportRow, ReportAnswer>({
    db,
    clock,
    fn: reportStatuses,
    group: (row) => row.workspace_id,
    committed,
  });
  const inbound = batchCalls<InboundRow, InboundAnswer>({
    db,
    clock,
    fn: receiveMessages,
    group: (row) => row.workspace_id,
    committed,
  });

  return {
    async reported(workspaceId, status) {
      const answer = await statuses.submit({
        workspace_id: workspaceId,
        message_id: openOpaque(secrets, status.opaque)?.messageId ?? null,
        provider_message_id: status.providerMessageId,
        bit: REPORTS[status.status].bit,
        at: new Date(status.at).toISOString(),
        error: status.error ? errorOfProvider(status.error) : null,
        pricing: status.pricing ?? null,
      });
      if (answer.other_provider_id)
        log.error(
          { workspace_id: workspaceId, message_id: answer.message_id },
          "a message has two provider ids: it was sent twice",
        );
      return answer.outcome === "unknown_message" ? "unknown_message" : null;
    },
    async received(workspaceId, phoneNumberId, message) {
      const now = clock.now();
      await inbound.submit({
        workspace_id: workspaceId,
        id: newUuid(now),
        phone_number_id: phoneNumberId,
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
      });
      return null;
    },
    async joinParked() {
      committed(await db.call<{ wake: string }>(joinParked, ["{}"], clock.now()));
    },
    stop: async () => void (await Promise.all([statuses.drained(), inbound.drained()])),
  };
}
