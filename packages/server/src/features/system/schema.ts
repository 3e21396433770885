import { type Static, Type } from "typebox";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { LANE_KINDS, SLOTS } from "../../lanes/lane-kinds.ts";
import { ROLES } from "../../process/config/config.ts";

/** An installation has some ten. */
export const MOST_PROCESSES = 200;

const Process = Type.Object({
  id: Type.String({ description: "The process's own id, as in its log." }),
  roles: Type.Array(Type.Enum([...ROLES])),
  version: Type.String(),
  slots: Type.Record(Type.Enum(Object.keys(LANE_KINDS)), Type.Integer(), {
    description: "How many of the slots of each kind of work the process has.",
  }),
  lease_expires_at: timestampOutput("When others take over its slots, unless it says before that it is alive."),
});

const Queue = Type.Object({
  kind: Type.Enum(Object.keys(LANE_KINDS)),
  rows: Type.Integer({ description: "As the statistics of the database estimate them, work for later included." }),
  slots: Type.Integer(),
  slots_owned: Type.Integer({ description: "Work of a slot that no process has stands still." }),
  oldest_due_at: nullable(
    timestampOutput(),
    "Since when the oldest work could have started, among the first lanes of each slot; of `redeliver` perhaps since its first delivery. Null where nothing is due.",
  ),
});

export const System = Type.Object(
  {
    version: Type.String({ description: "Of the process that answers." }),
    processes: Type.Array(Process, { description: `Those that are alive, at most ${MOST_PROCESSES}.` }),
    queues: Type.Array(Queue),
    database: Type.Object({
      version: Type.String(),
      size_bytes: nullable(Type.Integer(), "Null where it took too long to find out."),
    }),
    migrations: Type.Object({
      applied: Type.Integer(),
      latest: nullable(Type.String()),
      pending: Type.Array(Type.String(), { description: "Those of this version that the database does not have." }),
    }),
  },
  {
    $id: "System",
    examples: [
      {
        version: "0.2.0",
        processes: [
          {
            id: "01936f6c-0000-7000-8000-000000000000",
            roles: ["api", "ingress", "dispatch", "deliver", "maintenance"],
            version: "0.2.0",
            slots: Object.fromEntries(Object.keys(LANE_KINDS).map((kind) => [kind, SLOTS])),
            lease_expires_at: "2026-01-31T09:00:12.000Z",
          },
        ],
        queues: [
          {
            kind: "dispatch",
            rows: 12,
            slots: SLOTS,
            slots_owned: SLOTS,
            oldest_due_at: "2026-01-31T08:59:59.000Z",
          },
        ],
        database: { version: "18.1", size_bytes: 41_943_040 },
        migrations: { applied: 87, latest: "0087_signup_redirect", pending: [] },
      },
    ],
  },
);
export type System = Static<typeof System>;
