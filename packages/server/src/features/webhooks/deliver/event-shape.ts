import type { JsonRow } from "../../events/event-groups.ts";

/** The body of an event: the same for the same sources, wherever it is rendered. */
export type EventBody = {
  id: string;
  kind: string;
  category: string;
  workspace_id: string;
  created_at: string;
  /** Larger is later within a conversation; gaps mean nothing. */
  sequence: number;
  data: JsonRow;
  /** Its content was left out, because it would be larger than `MOST_BODY_BYTES`. */
  truncated?: true;
};
