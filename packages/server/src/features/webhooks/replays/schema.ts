import { type Static, Type } from "typebox";
import { declaredItems } from "../../../http/declared.ts";
import { idSchema } from "../../../http/ids.ts";
import { nullable } from "../../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../../http/timestamps.ts";

const Only = Type.Union([Type.Literal("failed"), Type.Literal("missing"), Type.Literal("all")], {
  description:
    "`failed`: deliveries that were given up. `missing`: events of which the endpoint has no delivery, such as those from before it was created. `all`: both, and deliveries that succeeded. One that still waits for its next attempt is never among them. An endpoint with `phone_number_ids` or `business_account_ids` gets again only what it was sent before.",
});

const EXAMPLE = {
  id: "rpl_01jd0000000000000000000000",
  webhook_endpoint_id: "whe_01jd0000000000000000000000",
  created_after: "2026-01-30T00:00:00.000Z",
  created_before: "2026-01-31T00:00:00.000Z",
  events: ["messages", "delivered"],
  only: "failed" as const,
  dry_run: false,
  status: "running" as const,
  progress: { matched: 12_000, scheduled: 12_000, succeeded: 4_100, failed: 2 },
  error: null,
  created_at: "2026-01-31T08:00:00.000Z",
  completed_at: null,
};

const count = (description: string) => Type.Integer({ description });

export const Replay = Type.Object(
  {
    id: idSchema("rpl"),
    webhook_endpoint_id: idSchema("whe"),
    created_after: timestampOutput(),
    created_before: timestampOutput(),
    events: Type.Array(Type.String()),
    only: Only,
    dry_run: Type.Boolean(),
    status: Type.Union(
      [Type.Literal("pending"), Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")],
      {
        description:
          "`completed`: each delivery that was scheduled has succeeded or failed. `failed`: it could not go on, as `error` says: `endpoint_deleted` or, where deliveries wait no longer for it, `endpoint_disabled`; after another error those that are scheduled are still attempted.",
      },
    ),
    progress: Type.Object({
      matched: count("Events that were found so far."),
      scheduled: count("Deliveries of them that are attempted by this replay; none in a dry run."),
      succeeded: count("Of these, those that the endpoint took."),
      failed: count("Of these, those that were given up."),
    }),
    error: nullable(Type.Object({ code: Type.String(), detail: Type.String() }), "Why it failed."),
    created_at: timestampOutput(),
    completed_at: nullable(timestampOutput()),
  },
  { $id: "Replay", examples: [EXAMPLE] },
);
export type Replay = Static<typeof Replay>;

export const NewReplay = Type.Object(
  {
    created_after: timestampInput(
      "Events created after this time. Those of more than 30 days ago, and those that are no longer kept, are left out.",
    ),
    created_before: Type.Optional(timestampInput("Events created before this time; now by default.")),
    events: Type.Optional(
      declaredItems("event_kinds", {
        description: "The kinds of events, or `*` for all; by default those that the endpoint listens to.",
      }),
    ),
    only: Type.Optional(Only),
    dry_run: Type.Optional(Type.Boolean({ description: "True: only counts what fits. False by default." })),
  },
  {
    $id: "NewReplay",
    examples: [{ created_after: EXAMPLE.created_after, only: "all", dry_run: true }],
  },
);
export type NewReplay = Static<typeof NewReplay>;
