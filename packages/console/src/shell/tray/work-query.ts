import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import type { Work } from "../../api/works.ts";
import { ofImport, ofReplay, ofSignup, type Watched } from "./watched.ts";

const WATCHED_MS = 2_000;

/** Asked until it has ended. Null: there is none any more. */
export const workQuery = (work: Work) =>
  queryOptions({
    queryKey: ["works", work.id],
    queryFn: ({ signal }) => watched(work, signal).catch(nullWhereGone),
    refetchInterval: ({ state: { data } }) => (data === null || data?.hasEnded === true ? false : WATCHED_MS),
  });

async function watched(work: Work, signal: AbortSignal): Promise<Watched | null> {
  if (work.kind === "replay")
    return ofReplay(await waypost.webhookEndpoints.getReplay(work.endpointId, work.id, { signal }));
  if (work.kind === "signup") return ofSignup(await waypost.embeddedSignups.get(work.id, { signal }));
  return ofImport(await waypost.contacts.getImport(work.id, { signal }));
}

function nullWhereGone(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}
