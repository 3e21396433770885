import { Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { TEMPLATE_STATUSES, type TemplateStatus } from "../../provider/provider.ts";

const Status = Type.Unsafe<TemplateStatus>({ type: "string", enum: [...TEMPLATE_STATUSES] });
/** Longest name and language code that a template has (Cloud API documentation, templates: create), so that filters stay short. */
const LONGEST_NAME = 512;
const LONGEST_WORD = 32;

export const Component = Type.Unsafe<unknown>({
  type: "object",
  additionalProperties: true,
  description: "A component of the template in the provider's format: its `type` and the fields of that type.",
});

export const TEMPLATE_EXAMPLE = {
  id: "tpl_01jd0000000000000000000000",
  business_account_id: "acc_01jd0000000000000000000000",
  provider_template_id: "1689556908129833",
  name: "order_update",
  language: { code: "en_US" },
  category: "utility",
  status: "approved",
  quality: "green",
  components: [
    {
      type: "BODY",
      text: "Hi {{1}}, your order {{2}} is on its way.",
      example: { body_text: [["Ana", "A17"]] },
    },
  ],
  parameter_format: "positional",
  rejection_reason: null,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

/** A template of a connected account, as the provider last reported it. */
export const Template = Type.Object(
  {
    id: idSchema("tpl"),
    business_account_id: idSchema("acc"),
    provider_template_id: Type.String(),
    name: Type.String(),
    language: Type.Object({ code: Type.String({ examples: ["en_US"] }) }),
    category: Type.String({ description: "The category: utility, marketing or authentication." }),
    status: Status,
    quality: Type.String({ description: "The provider's quality rating: green, yellow, red or unknown." }),
    components: Type.Array(Component, { description: "The components in the provider's format." }),
    parameter_format: Type.String({ description: "The format of the parameters: positional or named." }),
    rejection_reason: nullable(Type.String(), "The provider's reason for a rejection."),
    created_at: timestampOutput(),
    updated_at: timestampOutput(),
  },
  { $id: "Template", examples: [TEMPLATE_EXAMPLE] },
);

export const TemplateList = listOf(Template);

export const TemplateQuery = Type.Object({
  ...listQuery,
  name: Type.Optional(Type.String({ maxLength: LONGEST_NAME, description: "The name; matches exactly." })),
  status: Type.Optional(Status),
  language: Type.Optional(Type.String({ maxLength: LONGEST_WORD, description: "The language code; matches exactly." })),
  category: Type.Optional(
    Type.String({ maxLength: LONGEST_WORD, description: "The category: utility, marketing or authentication." }),
  ),
  phone_number_id: Type.Optional(
    Type.String({ maxLength: LONGEST_WORD, description: "The id of a phone number; only templates that it can send." }),
  ),
});
