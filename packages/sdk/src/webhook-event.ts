import type { KnownEvent } from "./api.gen.ts";

/**
 * The body of a delivery. `kind` distinguishes the shapes: in `case "delivered":` of a `switch` over it `data` has its type. The
 * same `id` may be delivered more than once.
 */
export type WebhookEvent = KnownEvent | UnknownEvent;

/** An event of a kind that a newer gateway has added: answer it with 2xx, whether you use it or not. */
export type UnknownEvent = {
  id: string;
  kind: NewKind;
  category: string;
  workspace_id: string;
  /** RFC 3339. */
  created_at: string;
  /** Larger is later within a conversation. */
  sequence: number;
  data: Record<string, unknown>;
  truncated?: boolean;
};

/**
 * Stands for every text that is no known kind; compare it as a `string`. A field of type `string` might equal each kind, and comparing
 * `kind` would then narrow nothing. There is no such object: only its type is used.
 */
declare enum NewKind {
  One = "a kind of a newer gateway",
}
