import type { RawDocument, RawRoute } from "../route.ts";

/** The report of `/readyz`: the process may get traffic when every check passes. */
export type ReadyReport = { ready: boolean; checks: { name: string; ok: boolean; detail: string | null }[] };

/**
 * `/healthz`: the process runs. It depends on nothing else, so that an unavailable database does not restart the process.
 * `/readyz`: the process may get traffic.
 */
export function probeRoutes(version: string, ready: () => Promise<ReadyReport>): RawRoute[] {
  const json = (status: number, body: unknown) => ({
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify(body)}\n`,
  });
  return [
    {
      method: "GET",
      path: "/healthz",
      summary: "The process runs",
      document: HEALTHZ,
      maxBytes: 1,
      handle: () => Promise.resolve(json(200, { status: "ok", version })),
    },
    {
      method: "GET",
      path: "/readyz",
      summary: "The process may get traffic: database, migrations, roles, partitions, lease and slots",
      document: READYZ,
      maxBytes: 1,
      handle: async () => {
        const report = await ready();
        return json(report.ready ? 200 : 503, { status: report.ready ? "ready" : "not_ready", checks: report.checks });
      },
    },
  ];
}

const JSON_TYPE = "application/json";

/** `/healthz` in the OpenAPI document. */
export const HEALTHZ: RawDocument = {
  tag: "Health",
  description:
    "Depends on nothing but the process itself: restart the process when this fails, but not when only its database is unavailable. Needs no key.",
  answers: {
    200: {
      description: "The process is running.",
      type: JSON_TYPE,
      schema: {
        type: "object",
        required: ["status", "version"],
        properties: { status: { type: "string", enum: ["ok"] }, version: { type: "string" } },
        additionalProperties: false,
        examples: [{ status: "ok", version: "0.2.0" }],
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
          detail: { type: ["string", "null"], description: "Why the check fails" },
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
  description: "Send traffic to the process while this is 200. The response lists each check. Needs no key.",
  answers: {
    200: {
      description: "Every check passes.",
      type: JSON_TYPE,
      schema: readiness("ready", { ok: true, detail: null }),
    },
    503: {
      description: "At least one check fails.",
      type: JSON_TYPE,
      schema: readiness("not_ready", { ok: false, detail: "no answer within 2 seconds" }),
    },
  },
};
