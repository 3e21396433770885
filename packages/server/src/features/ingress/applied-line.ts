import type { Log } from "../../lib/log.ts";

/** Message ids in the log line of a callback: one of 3 MiB reports on thousands. */
const MOST_LOGGED_MESSAGES = 100;

/** A callback that was applied; `tries` counts from 1, `setAside` has a reason for each change in quarantine. */
export type Applied = {
  callbackId: string;
  workspaceId: string | null;
  messageIds: readonly string[];
  changes: number;
  setAside: readonly { reason: string }[];
  tries: number;
  ageMs: number | null;
};

/** The one log line of a callback, whichever way it was applied. */
export const logApplied = (log: Log, applied: Applied): void =>
  log.info(
    {
      callback_id: applied.callbackId,
      workspace_id: applied.workspaceId ?? undefined,
      message_ids: applied.messageIds.slice(0, MOST_LOGGED_MESSAGES),
      changes: applied.changes,
      set_aside: applied.setAside.length,
      failed: applied.setAside.filter(({ reason }) => reason === "failed").length,
      attempt: applied.tries,
      age_ms: applied.ageMs,
    },
    "callback parsed",
  );
