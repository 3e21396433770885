import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { ProblemBody } from "../../../http/problem-body.ts";
import { nameInput, nullable } from "../../../http/schema-types.ts";
import { Component } from "../schema.ts";

/** A carousel of ten cards has fewer; the provider decides how many make sense. */
const MOST_COMPONENTS = 20;
/** Longer names are refused by a rule that says so. */
const LONGEST_NAME = 1_024;

const components = Type.Array(Component, {
  minItems: 1,
  maxItems: MOST_COMPONENTS,
  description:
    "The components in the provider's format, with sample values for their variables. The sample of a media header is an https link or the id of media (`med_…`), which the gateway uploads, or the handle of an upload.",
});
const category = Type.Enum(["utility", "marketing", "authentication"], {
  description: "The category. The provider may approve the template in another one.",
});
const message_send_ttl_seconds = Type.Integer({
  description:
    "How long the provider tries to deliver a message of this template, in seconds: 30 to 900 for authentication, 30 to 43200 for utility, 43200 to 2592000 for marketing; -1 for 30 days.",
});

export const NewTemplate = Type.Object(
  {
    name: nameInput(LONGEST_NAME, {
      description: "Lower-case letters, digits and underscores. Unique in the account for each language.",
    }),
    language: Type.Object({
      code: Type.String({ minLength: 1, maxLength: 32, description: "The language code.", examples: ["en_US"] }),
    }),
    category,
    components,
    parameter_format: Type.Optional(
      Type.Enum(["positional", "named"], {
        description: "How variables are written: `{{1}}` (default) or `{{name}}`.",
      }),
    ),
    business_account_id: Type.Optional(
      idSchema(
        "acc",
        "The account to submit it to. Default: that of `phone_number_id`, else of the default phone number.",
      ),
    ),
    phone_number_id: Type.Optional(idSchema("num", "A phone number of the account to submit it to.")),
    message_send_ttl_seconds: Type.Optional(message_send_ttl_seconds),
  },
  {
    $id: "NewTemplate",
    examples: [
      {
        name: "parcel_arrives",
        language: { code: "en_US" },
        category: "utility",
        components: [
          {
            type: "BODY",
            text: "Hi {{1}}, your parcel {{2}} arrives tomorrow.",
            example: { body_text: [["Ana", "A17"]] },
          },
        ],
      },
    ],
  },
);
export type NewTemplate = Static<typeof NewTemplate>;

export const TemplateValidation = Type.Object(
  {
    valid: Type.Boolean({ description: "Whether the template would be submitted to the provider." }),
    problems: Type.Array(ProblemBody, { description: "Everything that it would be refused with." }),
  },
  { $id: "TemplateValidation", examples: [{ valid: true, problems: [] }] },
);
export type TemplateValidation = Static<typeof TemplateValidation>;

export const TemplateChange = Type.Object(
  {
    components: Type.Optional(components),
    category: Type.Optional(category),
    message_send_ttl_seconds: Type.Optional(message_send_ttl_seconds),
  },
  {
    $id: "TemplateChange",
    minProperties: 1,
    examples: [{ components: [{ type: "BODY", text: "Your order is ready to be picked up." }] }],
  },
);
export type TemplateChange = Static<typeof TemplateChange>;

export const TemplateSync = Type.Object(
  {
    business_account_id: Type.Optional(idSchema("acc", "The account to read. Default: all connected accounts.")),
  },
  { $id: "TemplateSync", examples: [{}] },
);
export type TemplateSync = Static<typeof TemplateSync>;

const SyncedAccount = Type.Object({
  business_account_id: idSchema("acc"),
  status: Type.Enum(["completed", "running", "failed"], {
    description: "`running`: the provider had not answered in time, and a task goes on. `failed`: see `error`.",
  }),
  created: Type.Integer({ description: "Templates that were not known here." }),
  updated: Type.Integer({ description: "Templates that had changed at the provider." }),
  deleted: Type.Integer({ description: "Templates that the provider no longer has." }),
  error: nullable(Type.Object({ code: Type.String(), detail: Type.String() }), "Why it failed."),
});

export const TemplateSyncResult = Type.Object(
  { data: Type.Array(SyncedAccount, { description: "One result for each account." }) },
  {
    $id: "TemplateSyncResult",
    examples: [
      {
        data: [
          {
            business_account_id: "acc_01jd0000000000000000000000",
            status: "completed",
            created: 1,
            updated: 2,
            deleted: 0,
            error: null,
          },
        ],
      },
    ],
  },
);
export type TemplateSyncResult = Static<typeof TemplateSyncResult>;
