import type { FastifyInstance } from "fastify";
import { isRecord } from "../lib/shape.ts";
import { graphRefusal } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { BusinessProfile } from "../world/profile-fields.ts";
import type { PhoneNumber } from "../world/world.ts";
import { authenticate, type GraphPath, parameter, phoneNumberIn, selectFields } from "./request.ts";

const FIELDS = ["about", "address", "description", "email", "profile_picture_url", "websites", "vertical"] as const;

/** Longest texts (Cloud API documentation, business profiles). */
const LONGEST = { about: 139, address: 256, description: 512, email: 128 } as const;
const MOST_WEBSITES = 2;
const LONGEST_WEBSITE = 256;
const VERTICALS: ReadonlySet<string> = new Set(
  (
    "OTHER AUTO BEAUTY APPAREL EDU ENTERTAIN EVENT_PLAN FINANCE GROCERY GOVT HOTEL HEALTH NONPROFIT PROF_SERVICES RETAIL " +
    "TRAVEL RESTAURANT ALCOHOL ONLINE_GAMBLING PHYSICAL_GAMBLING OTC_DRUGS MATRIMONY_SERVICE NOT_A_BIZ UNDEFINED"
  ).split(" "),
);

/** `GET` and `POST /{number}/whatsapp_business_profile`. */
export function registerProfileRoutes(app: FastifyInstance, sim: Simulation): void {
  app.get<GraphPath>("/:version/:id/whatsapp_business_profile", (request) => {
    const { profile } = phoneNumberIn(sim, authenticate(sim, request), request);
    const node = Object.fromEntries(FIELDS.map((field) => [field, profile[field]]));
    // The industry is always there, and the other fields only with a value.
    node["vertical"] ??= "UNDEFINED";
    return {
      data: [selectFields(request, { ...node, messaging_product: "whatsapp" }, [...FIELDS, "messaging_product"])],
    };
  });

  app.post<GraphPath>("/:version/:id/whatsapp_business_profile", (request) => {
    const number = phoneNumberIn(sim, authenticate(sim, request), request);
    if (parameter(request, "messaging_product") !== "whatsapp")
      throw graphRefusal(100, "(#100) The parameter messaging_product is required.");
    const body = isRecord(request.body) ? request.body : {};
    // All is checked before anything is stored.
    const texts = Object.entries(LONGEST).map(([field, most]) => textIn(body, field, most));
    const change: BusinessProfile = Object.assign(
      {},
      ...texts,
      websitesIn(body),
      verticalIn(body),
      pictureIn(number, body),
    );
    number.profile = withoutEmpty({ ...number.profile, ...change });
    return { success: true };
  });
}

const invalid = (text: string) => graphRefusal(100, `(#100) ${text}`);

function textIn(body: Record<string, unknown>, field: string, most: number): BusinessProfile {
  const text = body[field];
  if (text === undefined) return {};
  if (typeof text !== "string") throw invalid(`Param ${field} must be a string.`);
  if (text.length > most) throw invalid(`Param ${field} must be at most ${most} characters long.`);
  if (field === "about" && text.trim() === "") throw invalid("Param about must not be empty.");
  if (field === "email" && text !== "" && !/^[^\s@]+@[^\s@]+$/.test(text))
    throw invalid("Param email must be a valid email address.");
  return { [field]: text };
}

function websitesIn({ websites }: Record<string, unknown>): BusinessProfile {
  if (websites === undefined) return {};
  if (!Array.isArray(websites) || websites.length > MOST_WEBSITES)
    throw invalid(`Param websites must have at most ${MOST_WEBSITES} elements.`);
  const checked = websites.map((one: unknown) => {
    if (typeof one !== "string" || one.length > LONGEST_WEBSITE || !/^https?:\/\/\S+$/i.test(one))
      throw invalid(`Param websites must have URLs with http:// or https:// of at most ${LONGEST_WEBSITE} characters.`);
    return one;
  });
  return { websites: checked };
}

function verticalIn({ vertical }: Record<string, unknown>): BusinessProfile {
  if (vertical === undefined) return {};
  if (typeof vertical !== "string" || (vertical !== "" && !VERTICALS.has(vertical)))
    throw invalid(`Param vertical must be one of {${[...VERTICALS].join(", ")}}.`);
  return { vertical };
}

function pictureIn({ id }: PhoneNumber, { profile_picture_handle: handle }: Record<string, unknown>): BusinessProfile {
  if (handle === undefined) return {};
  if (typeof handle !== "string" || handle === "") throw invalid("Param profile_picture_handle must be a handle.");
  return { profile_picture_url: `https://pps.whatsapp.net/v/${id}/${encodeURIComponent(handle.slice(0, 40))}.jpg` };
}

const withoutEmpty = (profile: BusinessProfile): BusinessProfile =>
  Object.fromEntries(Object.entries(profile).filter(([, value]) => value.length > 0));
