import { queryOptions } from "@tanstack/react-query";
import { waypost } from "../../api/client.ts";
import type { Work } from "../../api/works.ts";
import { isFinal, ofImport, ofReplay, ofSignup, type Watched } from "./watched.ts";

const WATCHED_MS = 2_000;

/** Asked until it has ended. Null: there is none any more, or the key may not see it. */
export const workQuery = (work: Work) =>
  queryOptions({
    queryKey: ["works", work.id],
    queryFn: ({ signal }) => watched(work, signal).catch(nullWhereRefused),
    gcTime: 0, // a work that is resumed is not what it was when it ended
    refetchInterval: ({ state: { data } }) => (data === null || data?.hasEnded === true ? false : WATCHED_MS),
  });

async function watched(work: Work, signal: AbortSignal): Promise<Watched | null> {
  if (work.kind === "replay")
    return ofReplay(await waypost.webhookEndpoints.getReplay(work.endpointId, work.id, { signal }));
  if (work.kind === "signup") return ofSignup(await waypost.embeddedSignups.get(work.id, { signal }));
  return ofImport(await waypost.contacts.getImport(work.id, { signal }));
}

function nullWhereRefused(error: unknown): null {
  if (isFinal(error)) return null;
  throw error;
}
