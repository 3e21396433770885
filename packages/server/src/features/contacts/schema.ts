import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";

const CONTACT_EXAMPLE = {
  id: "con_01jd0000000000000000000000",
  phone: "+15551230001",
  wa_id: "15551230001",
  user_id: "US.13490000000000000001",
  parent_user_id: null,
  username: null,
  profile_name: "Ana",
  name: null,
  marketing_consent: "unknown" as const,
  consent_source: null,
  last_inbound_at: "2026-01-31T09:00:00.000Z",
  windows: [{ phone_number_id: "num_01jd0000000000000000000000", open: true, expires_at: "2026-02-01T09:00:00.000Z" }],
  created_at: "2026-01-31T08:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

const Window = Type.Object({
  phone_number_id: idSchema("num"),
  open: Type.Boolean({ description: "Whether free-form messages can be sent now." }),
  expires_at: timestampOutput(),
});

export const Contact = Type.Object(
  {
    id: idSchema("con"),
    phone: nullable(Type.String(), "In E.164 as first seen; null if the person has no visible number."),
    wa_id: nullable(
      Type.String(),
      "The number as the provider calls it, once it has; messages go to this form. An id of the provider that is no number is shown here too, and cannot be written to.",
    ),
    user_id: nullable(Type.String(), "The person's business-scoped user id."),
    parent_user_id: nullable(Type.String(), "The user id above it, where portfolios are linked."),
    username: nullable(Type.String()),
    profile_name: nullable(Type.String(), "The name that the person uses."),
    name: nullable(Type.String(), "The name that you use."),
    marketing_consent: Type.Union([Type.Literal("unknown"), Type.Literal("opted_in"), Type.Literal("opted_out")], {
      description:
        "Marketing templates to somebody who opted out are refused. The person's most recent choice applies.",
    }),
    consent_source: nullable(
      Type.Union([Type.Literal("preference"), Type.Literal("keyword"), Type.Literal("client"), Type.Literal("import")]),
      "Where it was said: the person's setting in WhatsApp, a keyword that they wrote, a call of yours, or an import.",
    ),
    last_inbound_at: nullable(timestampOutput(), "The provider's time of the last message that opened a window."),
    windows: Type.Array(Window, { description: "The 24-hour windows with your numbers, by the last message of each." }),
    created_at: timestampOutput(),
    updated_at: timestampOutput(),
  },
  { $id: "Contact", examples: [CONTACT_EXAMPLE] },
);
export type Contact = Static<typeof Contact>;
export const ContactList = listOf(Contact);

export const ContactListQuery = Type.Object({
  ...listQuery,
  phone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 150,
      description: "The person with this number, in any form that the provider or people use.",
      examples: ["+15551230001"],
    }),
  ),
});
export type ContactListQuery = Static<typeof ContactListQuery>;
