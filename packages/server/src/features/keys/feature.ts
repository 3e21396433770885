import type { Feature } from "../../feature.ts";
import { KEY_ROUTES } from "./routes.ts";
import { authenticateKeys, touchKeys } from "./store.ts";

const tags = { "API keys": "Create, rotate and revoke the API keys of the workspace." } as const;
const ids = { key: "api_key" } as const;
const scopes = ["keys:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

const RECORD_USES_MS = 60_000;

/** API keys. */
export const keys: Feature = {
  name: "keys",
  tags,
  ids,
  scopes,
  grants: {
    api_key: { app: "insert, select, update", engine: "select, update(last_used_at)" },
    key_digest: { app: "insert", engine: "select" },
  },
  forgets: { without: ["api_key", "key_digest"] },
  moves: { key_digest: "by workspace, as whole rows" },
  functions: [authenticateKeys, touchKeys],
  build: (_app, { authenticator }) => ({
    routes: KEY_ROUTES,
    timers: [{ name: "key uses", role: "api", everyMs: RECORD_USES_MS, run: () => authenticator.recordUses() }],
    stop: () => authenticator.stop(),
  }),
};
