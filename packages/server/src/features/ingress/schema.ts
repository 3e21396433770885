import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { ANYTHING, provided } from "../messages/provided.ts";

const EXAMPLE = {
  id: "qrn_01m0gtakn7fdn8z9d4qzk2v0xy",
  reason: "failed",
  detail: "23514 message message_type_check",
  provider_phone_number_id: "1055",
  provider_account_id: "9001",
  replays: 2,
  next_replay_at: "2026-02-01T10:16:00.000Z",
  created_at: "2026-02-01T10:15:00.000Z",
  replayed_at: null,
};

const CHANGE = {
  id: idSchema("qrn"),
  reason: Type.String({
    description:
      "Why the change is quarantined: `failed` (applying it failed; replayed automatically), `unowned` (its phone number or account is not connected; replayed when it is connected), `missing` (the raw callback is no longer stored), `not_json`, `status of an inbound message`, `unknown field`, or another description of what is not understood.",
    examples: ["failed"],
  }),
  detail: nullable(Type.String(), "For `failed`: the SQLSTATE with table and constraint, or the name of the error."),
  provider_phone_number_id: nullable(Type.String(), "The provider's id of the phone number, if the change names one."),
  provider_account_id: nullable(Type.String(), "The provider's id of the account, if the change names one."),
  replays: Type.Integer({ description: "The number of replays that failed." }),
  next_replay_at: nullable(timestampOutput(), "When the change is replayed automatically."),
  created_at: timestampOutput(),
  replayed_at: nullable(
    timestampOutput(),
    "When the change was put back into the queue; null if it was not replayed yet.",
  ),
};

/** Something that a callback of the provider said and that waits in quarantine. */
export const QuarantinedChange = Type.Object(CHANGE, { $id: "QuarantinedChange", examples: [EXAMPLE] });
export type QuarantinedChange = Static<typeof QuarantinedChange>;

const Callback = Type.Object({
  received_at: timestampOutput("When it was stored."),
  encoding: Type.Enum(["utf-8", "base64"], {
    description: "How `body` is written: bytes that are not UTF-8 are in base64.",
  }),
  body: Type.String({ description: "The body that was posted, byte for byte. It need not be JSON." }),
});

/** The same with what the provider posted. */
export const QuarantinedCallback = Type.Object(
  {
    ...CHANGE,
    change: provided("The part of the callback that is not understood. Null where that is not the reason.", ANYTHING),
    callback: nullable(Callback, "The callback, as the provider posted it. Null once it is no longer kept."),
  },
  {
    $id: "QuarantinedCallback",
    examples: [
      {
        ...EXAMPLE,
        change: null,
        callback: {
          received_at: "2026-02-01T10:15:00.000Z",
          encoding: "utf-8",
          body: '{"object":"whatsapp_business_account","entry":[{"id":"9001","changes":[]}]}',
        },
      },
    ],
  },
);
export type QuarantinedCallback = Static<typeof QuarantinedCallback>;

/** The longest reason names a field of the provider's. */
const LONGEST_REASON = 200;
const reason = Type.String({ minLength: 1, maxLength: LONGEST_REASON });

export const QuarantineList = listOf(QuarantinedChange);
export const QuarantineQuery = Type.Object({ ...listQuery, reason: Type.Optional(reason) });
export type QuarantineQuery = Static<typeof QuarantineQuery>;

export const QuarantineReplay = Type.Object(
  { reason },
  { $id: "QuarantineReplay", examples: [{ reason: "unrecognized" }] },
);
export type QuarantineReplay = Static<typeof QuarantineReplay>;

export const QuarantineReplayed = Type.Object(
  {
    replayed: Type.Integer({ description: "The number of changes that this call put back into the queue." }),
    has_more: Type.Boolean({ description: "Whether more changes with this reason may be left; if so, call again." }),
  },
  { $id: "QuarantineReplayed", examples: [{ replayed: 12, has_more: false }] },
);
export type QuarantineReplayed = Static<typeof QuarantineReplayed>;
