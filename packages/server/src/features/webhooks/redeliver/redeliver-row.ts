import type { QueueRow } from "../../../lanes/kind.ts";
import type { RenderedEvent } from "../deliver/event-body.ts";
import type { RedeliveryOutcome } from "./redeliver.store.ts";

/** What is known of a row that is posted. */
export type Known = {
  endpointId: string;
  version: number;
  event: RenderedEvent;
  attempt: number;
  replayId: string | null;
};

/** The columns of an outcome without an attempt. */
export const NOTHING = { endpoint_id: null, endpoint_version: null, attempt: 0, entry: null };

/** The row of an outcome. */
export const ticketOf = (row: QueueRow): Pick<RedeliveryOutcome, "slot" | "seq" | "workspace_id" | "delivery_id"> => ({
  slot: row.slot,
  seq: row.seq,
  workspace_id: row.workspaceId,
  delivery_id: row.itemId,
});

/** For log lines. */
export const idsOf = ({ workspaceId, itemId, eventId }: QueueRow) => ({
  workspace_id: workspaceId,
  delivery_id: itemId,
  event_id: eventId,
});
