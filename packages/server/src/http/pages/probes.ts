import type { RawDocument, RawRoute } from "../route.ts";

/** What `/readyz` says: the process may take work when every check holds. */
export type ReadyReport = { ready: boolean; checks: { name: string; ok: boolean; detail: string | null }[] };

/** `/healthz`: the process runs; asks nothing of others, so that a database's absence does not restart it. `/readyz`: it may get traffic. */
export function probeRoutes(version: string, ready: () => Promise<ReadyReport>): RawRoute[] {
  const json = (status: number, body: unknown) => ({
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(body),
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
