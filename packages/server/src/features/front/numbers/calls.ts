import type { Call, Given } from "../../../http/call.ts";
import { formatId } from "../../../lib/ids.ts";
import type { Senders } from "../../accounts/numbers/senders.ts";
import type { MediaFiles } from "../../media/media-files.ts";
import { parsed } from "../messages/content.ts";
import type { ByKind } from "../objects/by-id.ts";
import { numberOfPath } from "../objects/objects.ts";
import { handleOfPicture } from "./picture.ts";
import { numberFields, profileFields } from "./render.ts";

const PROFILE = "/{number}/whatsapp_business_profile";
const READ = "GET /v1/phone-numbers/{id}";
const READ_PROFILE = "GET /v1/phone-numbers/{id}/profile";
const UPDATE_PROFILE = "PATCH /v1/phone-numbers/{id}/profile";
const PROFILE_FIELDS = ["about", "address", "description", "email", "vertical", "profile_picture_handle"] as const;

/** What a business shows of itself. */
export const profileCalls = ({ senders, files }: { senders: Senders; files: MediaFiles }): Call[] => [
  {
    kind: "served",
    method: "GET",
    path: PROFILE,
    row: READ_PROFILE,
    summary: "The business profile of a number.",
    answer: async (ctx, { params, values }) => {
      const { phoneNumberId } = await numberOfPath(ctx, senders, params["number"] ?? "");
      const { body } = await ctx.pass(READ_PROFILE, { params: { id: formatId("num", phoneNumberId) } });
      return { body: { data: [profileFields(body, values["fields"])] } };
    },
  },
  {
    kind: "served",
    method: "POST",
    path: PROFILE,
    row: UPDATE_PROFILE,
    summary: "Changes the given fields of the business profile.",
    answer: async (ctx, { params, values }) => {
      const { phoneNumberId, businessAccountId: accountId } = await numberOfPath(ctx, senders, params["number"] ?? "");
      const change = changeOf(values);
      const handle = await handleOfPicture(ctx, { files, accountId, handle: change["profile_picture_handle"] });
      await ctx.pass(UPDATE_PROFILE, {
        params: { id: formatId("num", phoneNumberId) },
        body: handle === null ? change : { ...change, profile_picture_handle: handle },
        fingerprint: change, // the provider gives each upload of one picture another handle
      });
      return { body: { success: true } };
    },
  },
];

/** What is empty clears a field there, and what is null says nothing. */
function changeOf(values: Given["values"]): Record<string, unknown> {
  const given = PROFILE_FIELDS.filter((name) => values[name] != null);
  const websites = parsed(values["websites"]);
  return {
    ...Object.fromEntries(given.map((name) => [name, values[name] === "" ? null : values[name]])),
    ...(websites == null ? {} : { websites: typeof websites === "string" ? [websites] : websites }),
  };
}

/** GET of a number's id. */
export const readNumber: NonNullable<ByKind["number"]> = async (ctx, { id }, { values }) => {
  const { body } = await ctx.pass(READ, { params: { id: formatId("num", id) } });
  return { body: numberFields(body, values["fields"]) };
};
