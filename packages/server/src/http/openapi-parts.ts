import { PROBLEMS } from "./problem.ts";
import { SCOPES } from "./route.ts";
import type { Schema } from "./schemas.ts";

/** How a caller says who it is. */
export const SECURITY_SCHEMES: Schema = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: `An API key, \`wp_live_…\`. Scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(" ")}.`,
  },
  operatorKey: { type: "http", scheme: "bearer", description: "WAYPOST_OPERATOR_KEY." },
};

const PROBLEM_SCHEMA = {
  type: "object",
  description: "RFC 9457.",
  required: ["type", "title", "status", "detail", "code", "request_id", "retryable"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: Object.keys(PROBLEMS) },
    request_id: { type: "string" },
    retryable: { type: "boolean", description: "The same request may succeed later without a change." },
    resource_id: { type: "string", description: "The resource that the refusal is about, where there is one." },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "code", "detail"],
        properties: {
          pointer: { type: "string", description: "JSON pointer into the body, or `?name` of the query." },
          code: { type: "string" },
          detail: { type: "string" },
        },
      },
    },
    provider: { type: "object", additionalProperties: true, description: "What the provider said." },
  },
} as const;

/** Schemas that belong to no row. */
export const COMPONENT_SCHEMAS: Schema = { Problem: PROBLEM_SCHEMA };
