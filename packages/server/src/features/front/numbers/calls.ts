import type { Call, CallCtx, Given } from "../../../http/call.ts";
import { formatId } from "../../../lib/ids.ts";
import type { Senders } from "../../accounts/numbers/senders.ts";
import { parsed } from "../messages/content.ts";
import type { ByKind } from "../objects/by-id.ts";
import { numberOfPath } from "../objects/objects.ts";
import { numberFields, profileFields } from "./render.ts";

const PROFILE = "/{number}/whatsapp_business_profile";
const READ = "GET /v1/phone-numbers/{id}";
const READ_PROFILE = "GET /v1/phone-numbers/{id}/profile";
const UPDATE_PROFILE = "PATCH /v1/phone-numbers/{id}/profile";
const PROFILE_FIELDS = ["about", "address", "description", "email", "vertical", "profile_picture_handle"] as const;

/** What a business shows of itself. */
export const profileCalls = (senders: Senders): Call[] => [
  {
    kind: "served",
    method: "GET",
    path: PROFILE,
    row: READ_PROFILE,
    summary: "The business profile of a number.",
    answer: async (ctx, { params, values }) => {
      const { body } = await ctx.pass(READ_PROFILE, { params: await numberParams(ctx, senders, params) });
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
      await ctx.pass(UPDATE_PROFILE, { params: await numberParams(ctx, senders, params), body: changeOf(values) });
      return { body: { success: true } };
    },
  },
];

async function numberParams(ctx: CallCtx, senders: Senders, params: Given["params"]): Promise<{ id: string }> {
  return { id: formatId("num", (await numberOfPath(ctx, senders, params["number"] ?? "")).phoneNumberId) };
}

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
