import { type Static, type TSchema, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { ProblemBody } from "../../http/problem-body.ts";
import { EMAIL_ADDRESS, explained, lineInput, nameInput, nullable } from "../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";
import {
  MOST_ATTRIBUTE_CHARACTERS,
  MOST_ATTRIBUTE_NAME_CHARACTERS,
  MOST_ATTRIBUTES,
  MOST_IN_BATCH,
  MOST_SEARCHED_CHARACTERS,
  MOST_TAG_CHARACTERS,
  MOST_TAGS,
} from "../identity/contact-limits.ts";

export const CONTACT_EXAMPLE = {
  id: "con_01jd0000000000000000000000",
  phone: "+15551230001",
  wa_id: "15551230001",
  user_id: "US.13490000000000000001",
  parent_user_id: null,
  username: null,
  profile_name: "Ana",
  name: "Ana Souza",
  email: "ana@example.com",
  locale: "pt_BR",
  attributes: { city: "Recife", orders: 3 },
  tags: ["vip"],
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
      "The number as the provider calls it; messages go to this form. Null until a message is reported as sent, delivered or read, or the person writes; or the answer to a send names another form than was written to. An id of the provider that is no number is shown here too, and cannot be written to.",
    ),
    user_id: nullable(Type.String(), "The person's business-scoped user id."),
    parent_user_id: nullable(Type.String(), "The user id above it, where portfolios are linked."),
    username: nullable(Type.String()),
    profile_name: nullable(Type.String(), "The name that the person uses."),
    name: nullable(Type.String(), "The name that you use."),
    email: nullable(Type.String()),
    locale: nullable(Type.String(), "A language tag such as `pt_BR`."),
    attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: "Your own facts, by name.",
    }),
    tags: Type.Array(Type.String(), { description: "Sorted, each once." }),
    marketing_consent: Type.Union([Type.Literal("unknown"), Type.Literal("opted_in"), Type.Literal("opted_out")], {
      description:
        "Marketing templates to a person who opted out are refused. The person's most recent choice applies.",
    }),
    consent_source: nullable(
      Type.Union([
        Type.Literal("preference"),
        Type.Literal("signup"),
        Type.Literal("keyword"),
        Type.Literal("client"),
        Type.Literal("import"),
      ]),
      "Where it was said: the person's setting in WhatsApp, their sign-up for your marketing there, a keyword that they wrote, a call of yours, or an import.",
    ),
    last_inbound_at: nullable(timestampOutput(), "The provider's time of the last message that opened a window."),
    windows: Type.Array(Window, { description: "The 24-hour windows with your numbers, by the last message of each." }),
    created_at: timestampOutput(),
    updated_at: timestampOutput(),
  },
  { $id: "Contact", examples: [CONTACT_EXAMPLE] },
);
export type Contact = Static<typeof Contact>;
export const ContactPage = listOf(Contact);

const GoneContact = Type.Object(
  {
    id: idSchema("con"),
    deleted: Type.Literal(true),
  },
  {
    $id: "GoneContact",
    description:
      "With `sort=updated_at`: there is no contact of this id any more, because it was erased or merged into another.",
    examples: [{ id: "con_01jd0000000000000000000000", deleted: true }],
  },
);

const ListedContact = Type.Union([Contact, GoneContact]);
export type ListedContact = Static<typeof ListedContact>;
export const ContactList = Type.Object(
  {
    ...listOf(ListedContact).properties,
    has_more: Type.Boolean({
      description:
        "Whether there is more at once. With `sort=updated_at` there is a `next_cursor` in any case: use it later, for what has changed by then.",
    }),
  },
  { examples: [{ data: [CONTACT_EXAMPLE], next_cursor: null, has_more: false }] },
);

/** A tag: one line, without white space around it. */
const Tag = nameInput(MOST_TAG_CHARACTERS, { examples: ["vip"] });
export const TagInPath = Type.String({ minLength: 1, maxLength: MOST_TAG_CHARACTERS, examples: ["vip"] });
const Tags = Type.Array(Tag, { maxItems: MOST_TAGS });

const attributesOf = <Value extends TSchema>(value: Value, description: string) =>
  Type.Record(Type.String({ pattern: `^[\\w.-]{1,${MOST_ATTRIBUTE_NAME_CHARACTERS}}$` }), value, {
    maxProperties: MOST_ATTRIBUTES,
    additionalProperties: false,
    description: `${description} At most ${MOST_ATTRIBUTES}; names of up to ${MOST_ATTRIBUTE_NAME_CHARACTERS} letters, digits, \`_\`, \`.\` and \`-\`; texts of up to ${MOST_ATTRIBUTE_CHARACTERS} characters.`,
  });
const AttributeValue = Type.Union([
  Type.String({ maxLength: MOST_ATTRIBUTE_CHARACTERS }),
  Type.Number(),
  Type.Boolean(),
]);

const consent = Type.Union([Type.Literal("opted_in"), Type.Literal("opted_out")], {
  description: "What the person said to you. A later choice of theirs, such as a STOP, replaces it.",
});
const name = nameInput(256);
const email = Type.String({ maxLength: 254, pattern: EMAIL_ADDRESS });
const locale = Type.String({
  pattern: explained("^[a-zA-Z]{2,3}([_-][a-zA-Z0-9]{2,8}){0,3}$", { detail: "must be a language tag such as pt_BR" }),
});

export const NewContact = Type.Object(
  {
    phone: lineInput(64, {
      description:
        "With `+` and country code; spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped.",
      examples: ["+15551230001"],
    }),
    name: Type.Optional(nullable(name)),
    email: Type.Optional(nullable(email)),
    locale: Type.Optional(nullable(locale)),
    attributes: Type.Optional(attributesOf(Type.Union([AttributeValue, Type.Null()]), "Your own facts, by name.")),
    tags: Type.Optional(Tags),
    marketing_consent: Type.Optional(consent),
  },
  { $id: "NewContact", examples: [{ phone: "+15551230091", name: "Ana Souza", tags: ["vip"] }] },
);
export type NewContact = Static<typeof NewContact>;

export const CreateQuery = Type.Object({
  on_conflict: Type.Optional(
    Type.Literal("update", {
      description: "What is given changes the contact that has the number, as PATCH does; tags are added.",
    }),
  ),
});
export type CreateQuery = Static<typeof CreateQuery>;

export const ContactChange = Type.Object(
  {
    name: Type.Optional(nullable(name, "Null clears it.")),
    email: Type.Optional(nullable(email, "Null clears it.")),
    locale: Type.Optional(nullable(locale, "Null clears it.")),
    attributes: Type.Optional(
      attributesOf(Type.Union([AttributeValue, Type.Null()]), "Merged into those that there are; null removes one."),
    ),
    marketing_consent: Type.Optional(consent),
  },
  { $id: "ContactChange", examples: [{ name: "Ana Souza", attributes: { city: "Recife" } }] },
);
export type ContactChange = Static<typeof ContactChange>;

export const ContactBatch = Type.Object(
  {
    contacts: Type.Array(NewContact, {
      minItems: 1,
      maxItems: MOST_IN_BATCH,
      description: "Each creates its contact, or changes the one that has the number; tags are added.",
    }),
  },
  {
    examples: [
      {
        contacts: [
          { phone: "+15551230001", tags: ["vip"] },
          { phone: "+15551230002", name: "Ben" },
        ],
      },
    ],
  },
);
export type ContactBatch = Static<typeof ContactBatch>;

export const ContactBatchResult = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "The place in the request, from 0." }),
        outcome: Type.Optional(Type.Enum(["created", "updated", "unchanged"])),
        contact: Type.Optional(Contact),
        error: Type.Optional(ProblemBody),
      }),
      { description: "One entry for each contact, in the order of the request." },
    ),
  },
  {
    $id: "ContactBatchResult",
    examples: [{ data: [{ index: 0, outcome: "created" as const, contact: CONTACT_EXAMPLE }] }],
  },
);
export type ContactBatchResult = Static<typeof ContactBatchResult>;

export const AddTags = Type.Object(
  { tags: Type.Array(Tag, { minItems: 1, maxItems: MOST_TAGS }) },
  { $id: "AddTags", examples: [{ tags: ["vip"] }] },
);
export type AddTags = Static<typeof AddTags>;

/** The filters of the list, and of an export. */
const contactFilters = {
  phone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 150,
      description: "The person with this number, in any form that the provider or people use.",
      examples: ["+15551230001"],
    }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: MOST_TAG_CHARACTERS, description: "Has this tag." })),
  segment_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "Is in this segment now." })),
  q: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: MOST_SEARCHED_CHARACTERS,
      description:
        "Has this text in a name, the username, the email address, the number or the value of an attribute, whatever its case and accents. At least three characters; of a number any form, or a part of its digits.",
      examples: ["ana"],
    }),
  ),
  marketing_consent: Type.Optional(Type.Enum(["unknown", "opted_in", "opted_out"])),
  created_after: Type.Optional(timestampInput("Only contacts created after this time.")),
  updated_after: Type.Optional(timestampInput("Only contacts updated after this time.")),
};
export const ContactListQuery = Type.Object({
  ...listQuery,
  ...contactFilters,
  sort: Type.Optional(
    Type.Enum(["created_at", "updated_at"], {
      default: "created_at",
      description:
        "`created_at`: newest first. `updated_at`: by the last change, oldest first, to keep a copy: no change is missed, whenever it is committed.",
    }),
  ),
});
export type ContactListQuery = Static<typeof ContactListQuery>;

export const MergeContact = Type.Object(
  {
    contact_id: Type.String({
      description: "The other record of the person. Its id goes on to answer, as the contact's.",
    }),
  },
  { $id: "MergeContact", additionalProperties: false, examples: [{ contact_id: "con_01jd0000000000000000000001" }] },
);
export type MergeContact = Static<typeof MergeContact>;
export const ContactExportQuery = Type.Object({ ...contactFilters });
export type ContactExportQuery = Static<typeof ContactExportQuery>;

export const TagList = Type.Object(
  {
    data: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
    complete: Type.Boolean({
      description:
        "False in very large workspaces: the 200,000 newest contacts were counted, or there are more than 1,000 names.",
    }),
  },
  { $id: "TagList", examples: [{ data: [{ name: "vip", count: 120 }], complete: true }] },
);
export type TagList = Static<typeof TagList>;
