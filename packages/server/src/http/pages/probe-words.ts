import type { RawDocument } from "../route.ts";

const JSON_TYPE = "application/json";

/** `/healthz` in the OpenAPI document. */
export const HEALTHZ: RawDocument = {
  tag: "Health",
  description:
    "Asks nothing of others: restart the process when this fails, and not when only its database is away. Needs no key.",
  answers: {
    200: {
      description: "It runs.",
      type: JSON_TYPE,
      schema: {
        type: "object",
        required: ["status", "version"],
        properties: { status: { type: "string", enum: ["ok"] }, version: { type: "string" } },
        additionalProperties: false,
        examples: [{ status: "ok", version: "0.1.0" }],
      },
    },
  },
};

const readiness = (status: "ready" | "not_ready", check: { ok: boolean; detail: string | null }) => ({
  type: "object",
  required: ["status", "checks"],
  properties: {
    status: { type: "string", enum: [status] },
    checks: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "ok", "detail"],
        properties: {
          name: { type: "string" },
          ok: { type: "boolean" },
          detail: { type: ["string", "null"], description: "Why it does not hold" },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
  examples: [{ status, checks: [{ name: "database", ...check }] }],
});

/** `/readyz` in the OpenAPI document. */
export const READYZ: RawDocument = {
  tag: "Health",
  description: "Give the process traffic while this is 200. It names each thing that was looked at. Needs no key.",
  answers: {
    200: { description: "Every check holds.", type: JSON_TYPE, schema: readiness("ready", { ok: true, detail: null }) },
    503: {
      description: "One does not.",
      type: JSON_TYPE,
      schema: readiness("not_ready", { ok: false, detail: "no answer within 2 seconds" }),
    },
  },
};
