import type { App } from "../../../ctx.ts";
import type { LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import type { ProviderError, SendOutcome } from "../../../provider/provider.ts";
import type { LaneSender } from "../../accounts/numbers/senders.ts";
import { sealCorrelationToken } from "../correlation-token.ts";
import { withProviderFiles } from "../files-of-content.ts";
import type { IntentAnswer } from "./dispatch.store.ts";

const UNWRITABLE: Omit<ProviderError, "bytesSent"> = {
  class: "transient",
  code: "provider_error",
  provider: null,
  httpStatus: null,
  detail: "The gateway could not write this message to the provider.",
};

export type Written = {
  row: QueueRow;
  attempt: number;
  intent: IntentAnswer;
  sender: Pick<LaneSender, "providerPhoneNumberId" | "messagingAccountId">;
  accessToken: string;
};

/**
 * Sends an attempt that was begun. Never throws: an exception is a fault of this program, which counts as an attempt and waits like
 * any other refusal, unless bytes may have left.
 */
export async function writeMessage(
  { provider, secrets, log }: App,
  { row, attempt, intent, sender, accessToken }: Written,
  claim: LaneClaim,
): Promise<SendOutcome> {
  let bytesSent = false;
  try {
    return await provider.send({
      accessToken,
      providerPhoneNumberId: sender.providerPhoneNumberId,
      messagingAccountId: sender.messagingAccountId,
      to: intent.recipient,
      userId: intent.recipient === null ? intent.user_id : null,
      type: intent.type,
      content: withProviderFiles(intent.type, JSON.parse(intent.content), intent.files),
      replyToProviderId: intent.reply_to_provider_id,
      correlationToken: sealCorrelationToken(secrets, row.itemId, attempt),
      mayWrite: () => {
        bytesSent = claim.valid() && !claim.signal.aborted;
        return bytesSent;
      },
    });
  } catch (error) {
    log.error({ err: error, message_id: row.itemId, workspace_id: row.workspaceId }, "a message could not be written");
    const fault = { ...UNWRITABLE, bytesSent };
    return bytesSent ? { kind: "lost", error: fault } : { kind: "definite_no", error: fault };
  }
}
