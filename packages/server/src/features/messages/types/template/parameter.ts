import { type Static, type TLiteral, type TOptional, type TSchema, Type } from "typebox";
import { explained } from "../../../../http/schema-types.ts";
import { componentName } from "../component-name.ts";
import { productId } from "../interactive/product.ts";
import { checkProductSections, productSections } from "../interactive/product-list.ts";
import { ttlMinutes } from "../interactive/voice-call.ts";
import { checkPlace, place } from "../location.ts";
import { checkSource, filename, source } from "../media.ts";
import { capitalise, kind, OpenUnion } from "../open-union.ts";

/** The provider's limit of a coupon's code, in characters. */
const LONGEST_COUPON = 20;

// What is missing or empty is a fault of the template's slot and is reported against its definition
// (`features/templates/parameters.ts`); here is what no template takes.
const value = <Name extends string, Value extends TSchema>(name: Name, schema: Value) =>
  ({ type: Type.Literal(name), [name]: Type.Optional(schema) }) as { type: TLiteral<Name> } & {
    [K in Name]: TOptional<Value>;
  };

const named = { parameter_name: Type.Optional(Type.String({ description: "Of a template with named parameters." })) };

const text = kind({
  name: "text",
  content: Type.Object({ ...value("text", Type.String()), ...named }, { $id: "TextParameter" }),
});

const currency = kind({
  name: "currency",
  content: Type.Object(
    {
      ...value(
        "currency",
        Type.Object({
          fallback_value: Type.Optional(Type.String()),
          code: Type.String({
            pattern: explained("^[A-Z]{3}$", { detail: "must be a currency in three letters, such as USD" }),
            description: "ISO 4217, in any case.",
            examples: ["USD"],
          }),
          amount_1000: Type.Integer({ description: "The amount times 1000." }),
        }),
      ),
      ...named,
    },
    { $id: "CurrencyParameter" },
  ),
  spell: (parameter) => capitalise(parameter, ["currency", "code"]),
});

const dateTime = kind({
  name: "date_time",
  content: Type.Object(
    {
      // The provider shows the text and ignores the other fields that its page once had.
      ...value(
        "date_time",
        Type.Object({ fallback_value: Type.Optional(Type.String()) }, { additionalProperties: true }),
      ),
      ...named,
    },
    { $id: "DateTimeParameter" },
  ),
});

const media = (name: (typeof MEDIA)[number]) =>
  kind({
    name,
    content: Type.Unsafe<Record<string, Static<typeof Source> | undefined>>(
      Type.Object(value(name, Type.Object({ ...source, ...(name === "document" ? filename : {}) })), {
        $id: componentName("", name, "Parameter"),
      }),
    ),
    check(parameter, at) {
      const given = parameter[name];
      if (given !== undefined) checkSource(given, `${at}/${name}`);
    },
  });
const Source = Type.Object(source);
const MEDIA = ["image", "video", "gif", "document"] as const;

const location = kind({
  name: "location",
  content: Type.Object(value("location", place), { $id: "LocationParameter" }),
  check({ location: given }, at) {
    if (given !== undefined) checkPlace(given, `${at}/location`);
  },
});

const product = kind({
  name: "product",
  content: Type.Object(
    value(
      "product",
      Type.Object({ product_retailer_id: Type.Optional(productId), catalog_id: Type.Optional(Type.String()) }),
    ),
    { $id: "ProductParameter" },
  ),
});

/** Of a header. */
export const HEADER_PARAMETERS = new OpenUnion("type", [text, ...MEDIA.map(media), location, product], {
  $id: "TemplateHeaderParameter",
  inAnyCase: true,
});

/** Of a body. */
export const BODY_PARAMETERS = new OpenUnion("type", [text, currency, dateTime], {
  $id: "TemplateBodyParameter",
  inAnyCase: true,
});

const payload = kind({
  name: "payload",
  content: Type.Object(value("payload", Type.String()), { $id: "PayloadParameter" }),
});

const couponCode = kind({
  name: "coupon_code",
  content: Type.Object(value("coupon_code", Type.String({ maxLength: LONGEST_COUPON })), { $id: "CouponParameter" }),
});

const ttl = kind({
  name: "ttl_minutes",
  content: Type.Object(value("ttl_minutes", ttlMinutes), { $id: "TtlParameter" }),
});

const action = kind({
  name: "action",
  content: Type.Object(
    value(
      "action",
      Type.Object({
        flow_token: Type.Optional(Type.String({ description: "Your own value; it comes back with the answer." })),
        flow_action_data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        thumbnail_product_retailer_id: Type.Optional(productId),
        sections: Type.Optional(productSections),
      }),
    ),
    { $id: "ActionParameter" },
  ),
  check({ action: given }, at) {
    if (given?.sections !== undefined) checkProductSections(given.sections, `${at}/action/sections`);
  },
});

/** Of a button. */
export const BUTTON_PARAMETERS = new OpenUnion("type", [text, payload, couponCode, ttl, action], {
  $id: "TemplateButtonParameter",
  inAnyCase: true,
});
