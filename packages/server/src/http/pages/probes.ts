import type { RawRoute } from "../route.ts";
import { HEALTHZ, READYZ } from "./probe-words.ts";

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
