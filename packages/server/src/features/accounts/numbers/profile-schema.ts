import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { EMAIL_ADDRESS, linesInput, nullable, WEB_ADDRESS } from "../../../http/schema-types.ts";
import { PROFILE_LIMITS, VERTICALS } from "../../../provider/profile-calls.ts";

const EXAMPLE = {
  phone_number_id: "num_01jd0000000000000000000000",
  about: "Open from nine to six.",
  address: "12 Market Street, Springfield",
  description: "Bread and cakes since 1920.",
  email: "hello@shop.example",
  websites: ["https://shop.example"],
  vertical: "RETAIL",
  profile_picture_url: null,
};

export const BusinessProfile = Type.Object(
  {
    phone_number_id: idSchema("num"),
    about: nullable(Type.String(), "The line below the name."),
    address: nullable(Type.String()),
    description: nullable(Type.String()),
    email: nullable(Type.String()),
    websites: Type.Array(Type.String()),
    vertical: nullable(
      Type.String(),
      "The industry, in the provider's words: `RETAIL`. Null if the profile names none.",
    ),
    profile_picture_url: nullable(Type.String(), "The provider's address of the picture. It expires: do not store it."),
  },
  { $id: "BusinessProfile", examples: [EXAMPLE] },
);
export type BusinessProfile = Static<typeof BusinessProfile>;

/** As long as the provider's handles of uploads may be; it documents no limit. */
const LONGEST_HANDLE = 2_048;

const { about, address, description, email, website, websites } = PROFILE_LIMITS;

export const BusinessProfileChange = Type.Object(
  {
    about: Type.Optional(
      linesInput(about, {
        minLength: 1,
        description: "The line below the name. The provider does not let it be cleared.",
      }),
    ),
    address: Type.Optional(nullable(linesInput(address))),
    description: Type.Optional(nullable(linesInput(description))),
    email: Type.Optional(nullable(Type.String({ maxLength: email, pattern: EMAIL_ADDRESS }))),
    websites: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: website, pattern: WEB_ADDRESS }), { maxItems: websites }),
        "Addresses with `http://` or `https://`; they replace those that were there.",
      ),
    ),
    vertical: Type.Optional(
      nullable(Type.Union(VERTICALS.map((one) => Type.Literal(one))), "The industry, in the provider's words."),
    ),
    profile_picture_handle: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_HANDLE,
        description: "The handle of a picture that was uploaded to the provider.",
      }),
    ),
  },
  {
    $id: "BusinessProfileChange",
    examples: [{ description: "Bread and cakes since 1920.", websites: ["https://shop.example"] }],
  },
);
export type BusinessProfileChange = Static<typeof BusinessProfileChange>;
