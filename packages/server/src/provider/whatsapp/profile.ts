import type { NumberAccess, ProfileCalls, ProfileChange, ProviderProfile } from "../profile-calls.ts";
import type { Graph } from "./graph.ts";
import { asRecord, asText } from "./json.ts";
import { readOne, successOf } from "./reading.ts";

/** Each is documented (Cloud API documentation, business profiles), because an unknown one fails the whole call. */
const PROFILE_FIELDS = "about,address,description,email,profile_picture_url,websites,vertical";

export function profileCalls(graph: Graph): ProfileCalls {
  return {
    async getProfile({ providerPhoneNumberId, ...access }) {
      const answer = await graph.call("GET", pathOf(providerPhoneNumberId), { fields: PROFILE_FIELDS }, access);
      return readOne(answer, parseProfile, "business profile");
    },
    async updateProfile({ providerPhoneNumberId, change, ...access }) {
      const body = JSON.stringify(profileBody(change));
      return successOf(await graph.callWith(pathOf(providerPhoneNumberId), { ...access, body }), "business profile");
    },
  };
}

const pathOf = (id: NumberAccess["providerPhoneNumberId"]): string =>
  `${encodeURIComponent(id)}/whatsapp_business_profile`;

const profileBody = ({ profilePictureHandle, ...change }: ProfileChange): Record<string, unknown> => ({
  messaging_product: "whatsapp",
  ...change,
  ...(profilePictureHandle === undefined ? {} : { profile_picture_handle: profilePictureHandle }),
});

/** Of `{"data":[{…}]}`; a number whose profile was never written has an empty one. */
function parseProfile(value: unknown): ProviderProfile | null {
  const data = asRecord(value)?.["data"];
  if (!Array.isArray(data)) return null;
  const profile = asRecord(data[0]) ?? {};
  const websites = Array.isArray(profile["websites"]) ? profile["websites"] : [];
  const vertical = textOf(profile["vertical"]);
  return {
    about: textOf(profile["about"]),
    address: textOf(profile["address"]),
    description: textOf(profile["description"]),
    email: textOf(profile["email"]),
    websites: websites.flatMap((one) => textOf(one) ?? []),
    vertical: vertical === "UNDEFINED" ? null : vertical,
    profilePictureUrl: textOf(profile["profile_picture_url"]),
  };
}

const textOf = (value: unknown): string | null => asText(value) || null;
