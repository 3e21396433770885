import type { App } from "../ctx.ts";
import { openDatabase } from "../db/database.ts";
import { buildFeatures } from "../features.ts";
import type { Call } from "../http/call.ts";
import { openServer } from "../http/server.ts";
import { hintsOnly } from "../lanes/ownership/hints-only.ts";
import { systemClock } from "../lib/clock.ts";
import { createLog } from "../lib/log.ts";
import { Metrics } from "../lib/metrics.ts";
import { Secrets } from "../lib/secrets.ts";
import { readConfig } from "./config/config.ts";
import { VERSION } from "./version.ts";

/** The pool connects at the first query, and the document needs none. */
const NO_DATABASE = "postgresql://none@127.0.0.1:1/none";
const KEY_BYTES = 32;

/** An app for what is read from the code alone: no database, no network, no listener. */
function appOfNothing(): App {
  return {
    config: readConfig({}),
    log: createLog("silent"),
    clock: systemClock(),
    db: openDatabase({ url: NO_DATABASE, appRole: "none", onError: () => undefined }),
    secrets: new Secrets([new Uint8Array(KEY_BYTES)]),
    provider: {} as App["provider"], // verbs call it, and none runs here
    notifier: hintsOnly(),
    metrics: new Metrics(),
    random: Math.random,
  };
}

/** The calls of the Cloud API front, for docs/cloud-api.md. */
export async function frontCalls(): Promise<Pick<Call, "method" | "path" | "kind" | "summary">[]> {
  const app = appOfNothing();
  const { calls, stops } = buildFeatures(app, { version: VERSION });
  for (const stop of stops.toReversed()) await stop();
  await app.db.close();
  return calls.map(({ method, path, kind, summary }) => ({ method, path, kind, summary }));
}

/**
 * The OpenAPI 3.1 document of all routes, from the code alone. The same code gives the same document; `npm run generate` writes it to
 * `openapi.json`.
 */
export async function openapiDocument(): Promise<object> {
  const app = appOfNothing();
  const features = buildFeatures(app, { version: VERSION });
  const http = await openServer(app, {
    routes: features.routes,
    rawRoutes: features.rawRoutes,
    calls: features.calls,
    declared: features.declared,
    authenticate: (bearer) => features.services.authenticator.authenticate(bearer),
    activity: features.services.recorder,
    ready: () => Promise.resolve({ ready: false, checks: [] }),
    version: VERSION,
  });
  try {
    return http.openapi();
  } finally {
    await http.close();
    for (const stop of features.stops.toReversed()) await stop();
    await app.db.close();
  }
}
