import { type TProperties, Type } from "typebox";
import { of } from "../../db/hot-function.ts";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";
import { type Provided, providedFields, withoutContent } from "./reported-schema.ts";

/** What erasing a person does to a column that holds something of them. */
type Personal = {
  /** What it holds, for docs/privacy.md. */
  holds: string;
  /** SQL of what is left of it in a row `m`. */
  left: string;
  /** The same of a row that was read before it was emptied: what is left of a value in a message of this direction. */
  leave(value: unknown, outbound: boolean): unknown;
};

export type Column = {
  /**
   * What a message that is sent from here has in it: `given` is the value of this name in the input of `accept_messages`, which has the
   * column then; anything else is SQL of a row `x` that is accepted. Left out: null, or the default.
   */
  accepted?: string;
  /** A message that the provider reported has a value in it. */
  reported?: true;
  /** Fields of the request that this column keeps. */
  asks?: TProperties;
} & (
  | { sql: "uuid" | "uuid?" | "uuid[]?" | "boolean" | "boolean?" | "bigint" | "timestamptz" | "timestamptz?" }
  // What may be text of a person: null says that it never is.
  | { sql: "text" | "text?" | "json" | "json?" | ReturnType<typeof of<unknown>>; personal: Personal | null }
) &
  (
    | { read?: never }
    // Read for every answer, that to a send included, which a repetition must return byte for byte after an upgrade: no new column.
    | { read: "first" }
    // Read for every answer but that to a send: with the fields that show it, and what they are in an example that has none.
    | { read: "later"; shows: TProperties; example: object }
  );

export const LONGEST_REFERENCE = 256;
/** What a client of the Cloud API may give for it: as much as the provider takes. */
export const LONGEST_CLIENT_VALUE = 512;

const gone = (holds: string, left = "null"): Personal => ({ holds, left, leave: () => null });

/**
 * The columns of a message, in the order of statements and documents. What is written and read of one follows from its row: the input of
 * `accept_messages` and its insert, the type of a row and the reads, what a repetition returns, the fields of requests and answers
 * that only this column has, grants, and what erasing a person leaves.
 */
export const COLUMNS = {
  workspace_id: { sql: "uuid", accepted: "given", reported: true },
  id: { sql: "uuid", accepted: "given", reported: true, read: "first" },
  outbound: { sql: "boolean", accepted: "true", reported: true, read: "first" },
  phone_number_id: { sql: "uuid", accepted: "given", reported: true, read: "first" },
  contact_id: { sql: "uuid", accepted: "x.contact", reported: true, read: "first" },
  /** The recipient's number, as `sender` null where the person has none that is known. */
  recipient: {
    sql: "text?",
    accepted: "x.recipient",
    reported: true,
    read: "first",
    personal: {
      holds: "numbers",
      left: "case when not m.outbound then m.recipient end",
      leave: (value, outbound) => (outbound ? null : value),
    },
  },
  sender: {
    sql: "text?",
    accepted: "x.sender",
    reported: true,
    read: "first",
    personal: {
      holds: "numbers",
      left: "case when m.outbound then m.sender end",
      leave: (value, outbound) => (outbound ? value : null),
    },
  },
  type: { sql: "text", accepted: "given", reported: true, read: "first", personal: null },
  content: { sql: "json", accepted: "given", reported: true, read: "first", personal: gone("content", "'null'") },
  /** The message that is quoted, or that this one is about. */
  reply_to: {
    sql: "uuid?",
    accepted: "given",
    reported: true,
    read: "first",
    asks: { reply_to: Type.Optional(idSchema("msg", "The id of the message to quote.")) },
  },
  reference: {
    sql: "text?",
    accepted: "given",
    read: "first",
    asks: {
      reference: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: LONGEST_REFERENCE,
          description: "Your own reference; returned with the message and its events.",
        }),
      ),
    },
    personal: gone("`reference`"),
  },
  /** Of the template that is sent. */
  category: {
    sql: "text?",
    accepted: "case when x.fallback is null then x.category end",
    read: "first",
    personal: null,
  },
  /** Content of the template that goes instead while the window is closed. */
  fallback: {
    sql: "json?",
    accepted: "given",
    read: "first",
    personal: {
      holds: "content",
      left: "case when m.fallback is not null then '{}'::json end",
      leave: (value) => (value === null ? null : {}),
    },
  },
  /** Of that template. */
  fallback_category: {
    sql: "text?",
    accepted: "case when x.fallback is not null then x.category end",
    read: "first",
    personal: null,
  },
  /** Of the template that is sent, or that is the fallback. */
  template_id: { sql: "uuid?", accepted: "given" },
  send_at: {
    sql: "timestamptz?",
    accepted: "given",
    read: "first",
    asks: {
      send_at: Type.Optional(
        timestampInput("The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."),
      ),
    },
  },
  expires_at: {
    sql: "timestamptz?",
    accepted: "given",
    read: "first",
    asks: {
      expires_at: Type.Optional(timestampInput("When the message becomes `expired` if it was not dispatched before.")),
    },
  },
  /** It is sent although another responder owns the conversation. */
  takes_thread: {
    sql: "boolean?",
    accepted: "x.take",
    asks: {
      take: Type.Optional(
        Type.Boolean({
          description:
            "Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway.",
        }),
      ),
    },
  },
  resend_once: {
    sql: "boolean",
    accepted: "given",
    asks: {
      on_unknown: Type.Optional(
        Type.Enum(["hold", "resend_once"], { description: "What to do if the provider's response was lost." }),
      ),
    },
  },
  /** The uploaded media that its content, or its fallback, names; each once. */
  media: { sql: "uuid[]?", accepted: "given" },
  /** As it was known when the request came. */
  estimated_dispatch_at: { sql: "timestamptz?", accepted: "given", read: "first" },
  sequence: { sql: "bigint", accepted: "x.sequence", reported: true, read: "first" },
  /** The request's own time, not that of its batch. */
  created_at: { sql: "timestamptz", accepted: "x.now", reported: true, read: "first" },
  /** The provider's time of what it reported. Null of what was sent from here; absent in rows of first answers. */
  occurred_at: {
    sql: "timestamptz?",
    reported: true,
    read: "later",
    shows: {
      occurred_at: nullable(
        timestampOutput(),
        "The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others. Absent in the answer to a send.",
      ),
    },
    example: { occurred_at: null },
  },
  /** What the provider said of it beside its content. */
  provided: {
    sql: of<Provided>("json?"),
    reported: true,
    read: "later",
    shows: providedFields,
    example: { context: null, referral: null, handled_by: "self" },
    personal: {
      holds: "content",
      // A message of a group stays one.
      left: `case when m.provided ->> 'group_id' is not null then '{"group_id":""}'::json
      when coalesce(m.provided ->> 'origin', m.provided ->> 'handled_by') is not null then json_strip_nulls(
        json_build_object('origin', m.provided ->> 'origin', 'handled_by', m.provided ->> 'handled_by')) end`,
      leave: (value) => withoutContent(value as Provided | null),
    },
  },
} as const satisfies Readonly<Record<string, Column>>;
