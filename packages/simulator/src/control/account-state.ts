import type { Account } from "../world/world.ts";

/** An account with its numbers and templates, as the provider's own pages show it. Its token is not among it. */
export type AccountState = {
  waba_id: string;
  name: string;
  business_id: string;
  /** The subcode with which its token is refused; null: it is valid. */
  token_death: number | null;
  /** The code with which its messages are refused; null: it may send. */
  lock: number | null;
  subscribed: boolean;
  messaging_limit: string;
  phone_numbers: {
    id: string;
    display_phone_number: string;
    verified_name: string;
    status: string;
    quality_rating: string;
    throughput: number;
  }[];
  templates: {
    id: string;
    name: string;
    language: string;
    category: string;
    status: string;
    quality_score: string;
    rejected_reason: string;
    components: readonly object[];
  }[];
};

export const accountState = (account: Account): AccountState => ({
  waba_id: account.id,
  name: account.name,
  business_id: account.businessId,
  token_death: account.tokenDeath,
  lock: account.lock,
  subscribed: account.subscribed,
  messaging_limit: account.messagingLimit,
  phone_numbers: account.phoneNumbers.map((number) => ({
    id: number.id,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    status: number.status,
    quality_rating: number.qualityRating,
    throughput: number.throughput,
  })),
  templates: [...account.templates.values()].map((template) => ({
    id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    status: template.status,
    quality_score: template.qualityScore,
    rejected_reason: template.rejectedReason,
    components: template.components,
  })),
});
