import type { Feature } from "../../feature.ts";
import { AUDIT_ROUTES } from "./routes.ts";
import { recordActivities } from "./store.ts";

const tags = { Audit: "A log of every API call, including refused ones." } as const;
const ids = { aud: "activity" } as const;
const scopes = ["audit:read"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** The audit log. */
export const audit: Feature = {
  name: "audit",
  tags,
  ids,
  scopes,
  grants: { audit: { app: "insert, select", engine: "insert" } },
  forgets: {
    tables: {
      audit: {
        holds:
          "addresses and user agents of callers, ids of contacts; no numbers, names, tags or content: a path is kept without what is no id, the URL of an endpoint as its host",
        erasure: "stays for the retention of `audit`",
      },
    },
  },
  functions: [recordActivities],
  build: (_app, { recorder }) => ({ routes: AUDIT_ROUTES, stop: () => recorder.stop() }),
};
