import type { Feature } from "../../feature.ts";
import { forgets } from "./personal-data.ts";
import { findUnnamed, identifyContacts, UNNAMED_CONTACTS } from "./resolving/backfill.store.ts";
import { Backfill } from "./resolving/backfill.ts";
import { mergeNamed } from "./resolving/merge-by-client.store.ts";
import { EVIDENCE, mergeContacts, takeEvidence } from "./resolving/resolver.store.ts";

/** What a killed process has left is learned within this. */
const RESOLVE_EVERY_MS = 5_000;
const BACKFILL_EVERY_MS = 2_000;

/** Who is who: what names a person, whom a name means, when two contacts are one person, and what they say about marketing. */
export const identity: Feature = {
  name: "identity",
  grants: {
    contact_evidence: { app: "", engine: "delete, insert, select, update" },
    contact_merge: { app: "select", engine: "delete, insert, select" },
    identifier: { app: "delete, insert, select", engine: "delete, insert, select, update" },
    joined_conversation: { app: "", engine: "insert, select, update" },
    opt_out_of_erased: { app: "select", engine: "delete, insert, select" },
    new_owner: { app: "", engine: "insert, select, update" },
  },
  forgets,
  functions: [takeEvidence, mergeContacts, mergeNamed, findUnnamed, identifyContacts],
  questions: [EVIDENCE, UNNAMED_CONTACTS],
  build(app, { identityResolver }) {
    const backfill = new Backfill(app);
    return {
      timers: [
        {
          name: "learn who is who",
          role: "maintenance",
          everyMs: RESOLVE_EVERY_MS,
          asks: EVIDENCE,
          run: () => identityResolver.resolve(),
        },
        {
          name: "identify contacts",
          role: "maintenance",
          everyMs: BACKFILL_EVERY_MS,
          asks: UNNAMED_CONTACTS,
          run: () => backfill.run(),
        },
      ],
      stop: async () => {
        backfill.stop();
        await identityResolver.stop();
      },
    };
  },
};
