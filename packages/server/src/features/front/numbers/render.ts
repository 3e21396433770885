import type { BusinessProfile } from "../../accounts/numbers/profile-schema.ts";
import type { PhoneNumber } from "../../accounts/schema.ts";
import { picked } from "../objects/fields.ts";

/** A throughput above it is the provider's higher level. */
const STANDARD_PER_SECOND = 80;

/** A number as the provider's API returns it, with the fields that are asked for. */
export function numberFields(number: PhoneNumber, fields: unknown): Readonly<Record<string, unknown>> {
  const { provider_phone_number_id: id, phone, verified_name, quality, status, throughput_per_second: rate } = number;
  const isPending = status === "pending" || status === "unverified";
  return picked(
    {
      verified_name,
      display_phone_number: phone,
      quality_rating: quality === "unknown" ? "UNKNOWN" : quality.toUpperCase(),
      quality_score: { score: quality === "unknown" ? "UNKNOWN" : quality.toUpperCase() },
      status: status.toUpperCase(),
      code_verification_status: isPending ? "NOT_VERIFIED" : "VERIFIED",
      platform_type: "CLOUD_API",
      throughput: { level: rate > STANDARD_PER_SECOND ? "HIGH" : "STANDARD" },
      id,
    },
    fields,
  );
}

/** Clients need an industry; the provider has a word for none. */
const NO_VERTICAL = "UNDEFINED";

/** A business profile as the provider's API returns it. */
export function profileFields(profile: BusinessProfile, fields: unknown): Readonly<Record<string, unknown>> {
  const { about, address, description, email, websites, vertical, profile_picture_url } = profile;
  const known = {
    about,
    address,
    description,
    email,
    profile_picture_url,
    websites: websites.length === 0 ? null : websites,
    vertical: vertical ?? NO_VERTICAL,
  };
  return { ...picked(known, fields), messaging_product: "whatsapp" };
}
