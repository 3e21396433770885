import type { ProviderError } from "../../../provider/provider.ts";
import type { LaneSender } from "../../accounts/numbers/senders.ts";
import type { ProviderUploads } from "../../media/provider-uploads.ts";
import type { IntentAnswer } from "./dispatch.store.ts";

/**
 * Whether a send was refused because the provider has forgotten one of its files: then they are uploaded once more before its next attempt.
 * No code says that alone: it is one of those of files, and of parameters (Cloud API documentation, error codes).
 */
export async function hasForgotten(
  uploads: ProviderUploads,
  sender: LaneSender,
  { files }: IntentAnswer,
  { code, provider }: ProviderError,
): Promise<boolean> {
  if (files === null || !(code === "media_failed" || provider?.code === 100 || provider?.code === 131_009))
    return false;
  const used = Object.entries(files).flatMap(([id, known]) => (known === null ? [] : [[id, known] as const]));
  return await uploads.forget(sender, Object.fromEntries(used));
}
