import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { MediaContent } from "./content/content.ts";
import { MEDIA_EVENTS } from "./events.ts";
import { DUE_FILES, sweepMediaFiles } from "./files/file.store.ts";
import {
  SWEEP_FILES_EVERY_MS,
  SWEEP_SPOOL_EVERY_MS,
  SWEEP_SPOOL_FIRST_MS,
  SWEEP_STORE_EVERY_MS,
  sweepFiles,
  sweepSpool,
  sweepStore,
} from "./files/sweep.ts";
import { fetchQueue, settleFetches } from "./inbound/fetch.store.ts";
import { FetchLane } from "./inbound/fetch.ts";
import { forgets } from "./personal-data.ts";
import { retainMedia } from "./retention.store.ts";
import { RETAIN_EVERY_MS, retain } from "./retention.ts";
import { mediaRoutes, signedMediaRoutes } from "./routes.ts";

const tags = { Media: "Upload files to send them, and read what people have sent." } as const;
const ids = { med: "media" } as const;
const scopes = ["media:read", "media:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** Files that messages have: those that clients upload to send them, and those that people send. */
export const media: Feature = {
  name: "media",
  tags,
  ids,
  scopes,
  grants: {
    fetching: { app: "select", engine: "delete, insert, select, update" },
    media: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    media_at_provider: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    media_fetch: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    media_file: { app: "delete, insert, select, update", engine: "delete, select, update" },
    media_use: { app: "delete, insert, select", engine: "delete, insert, select" },
  },
  forgets,
  moves: { fetching: "by workspace" },
  functions: [...queueFunctions(fetchQueue), settleFetches, sweepMediaFiles, retainMedia],
  questions: [DUE_FILES],
  events: [MEDIA_EVENTS],
  build(app, { mediaFiles, uploads, mediaPlaces: { store, spool, close } }) {
    const content = new MediaContent(app, mediaFiles);
    const fetches = new FetchLane(app, mediaFiles);
    const spoolRoles = ["api", "maintenance"] as const;
    return {
      routes: mediaRoutes(mediaFiles, content),
      rawRoutes: signedMediaRoutes(content),
      kinds: [fetches],
      timers: [
        {
          name: "sweep files of media",
          role: "maintenance",
          everyMs: SWEEP_FILES_EVERY_MS,
          asks: DUE_FILES,
          run: () => sweepFiles(app, mediaFiles),
        },
        { name: "retain media", role: "maintenance", everyMs: RETAIN_EVERY_MS, run: () => retain(app) },
        {
          name: "sweep the media store",
          role: "maintenance",
          everyMs: SWEEP_STORE_EVERY_MS,
          run: () => sweepStore(app, store),
        },
        // Every process whose role receives files has some of its own on its machine.
        ...spoolRoles.map((role) => ({
          name: `sweep what has not arrived (${role})`,
          role,
          everyMs: SWEEP_SPOOL_EVERY_MS,
          firstAfterMs: SWEEP_SPOOL_FIRST_MS,
          run: () => sweepSpool(app, spool),
        })),
      ],
      stop: async () => {
        mediaFiles.stop();
        await Promise.all([fetches.stop(), uploads.stop()]);
        await close();
      },
    };
  },
};
