import { type TSchema, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { explained, nullable } from "../../../http/schema-types.ts";
import { MOST_HEADERS } from "./own-headers.ts";

// Schemas of what an endpoint asks of its deliveries, as a body gives it.

/** Below 5 s a receiver that is deployed looks like one that is down; above 30 s it should answer first and work afterwards. */
const TIMEOUT_SECONDS = { least: 5, most: 30 };
export const DEFAULT_TIMEOUT_SECONDS = 15;
export const TimeoutSeconds = Type.Integer({
  minimum: TIMEOUT_SECONDS.least,
  maximum: TIMEOUT_SECONDS.most,
  description: `How long an attempt may take, from the connection, which has 5 s of it, to your status line. ${DEFAULT_TIMEOUT_SECONDS} by default.`,
});
/** About what one lane can start. */
const MOST_PER_SECOND = 1_000;
export const RatePerSecond = nullable(
  Type.Integer({ minimum: 1, maximum: MOST_PER_SECOND }),
  "The most attempts that are begun in a second. Null, the default: as many as the endpoint takes.",
);
/** As a request names them: more would make each event of the workspace slow to compare. */
const MOST_LIMITS = 100;
const limitedTo = <Prefix extends "num" | "acc">(prefix: Prefix, description: string) =>
  nullable(Type.Array(idSchema(prefix), { minItems: 1, maxItems: MOST_LIMITS, uniqueItems: true }), description);
export const PhoneNumberIds = limitedTo(
  "num",
  "Only events of these numbers, and of their accounts and templates; with `business_account_ids`, of either. Null, the default: of all. Events of contacts and of endpoints come only to endpoints without limits.",
);
export const BusinessAccountIds = limitedTo(
  "acc",
  "Only events of these accounts, of their templates and of their numbers. Null, the default: of all.",
);
const LONGEST_HEADER = 2_048;
const HeaderName = Type.String({
  pattern: explained("^[A-Za-z][A-Za-z0-9_-]{0,63}$", {
    detail: "must be a header's name: a letter, then up to 63 letters, digits, `-` and `_`",
  }),
});
export const HeaderValue = Type.String({
  minLength: 1,
  maxLength: LONGEST_HEADER,
  pattern: explained("^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$", {
    detail: "must be visible ASCII characters, with spaces between them",
  }),
});
/** As many are removed by a change as are set. */
export const headersOf = <Value extends TSchema>(value: Value, description: string) =>
  Type.Record(HeaderName, value, {
    maxProperties: 2 * MOST_HEADERS,
    additionalProperties: false,
    description: `${description} At most ${MOST_HEADERS}. Values are kept encrypted and never returned. Headers of the gateway (\`x-service-*\`, \`webhook-*\`), of the body (\`content-*\`) and of the connection cannot be set.`,
  });
