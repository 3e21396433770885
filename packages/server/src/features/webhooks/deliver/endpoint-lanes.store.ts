import { type AnswerOf, columns, each, hotFunction, recordset } from "../../../db/hot-function.ts";
import { SLOTS } from "../../../lanes/lane-kinds.ts";
import { inLane, orderIn } from "../../../lanes/queue-sql.ts";
import { EVENT_VARIABLES, SLOTS_MASK } from "../../events/event.sql.ts";
import { IS_WARNING_DUE, WARN_OF_ENDPOINT } from "./endpoint-trouble.sql.ts";
import { ms } from "./event-source.sql.ts";

const LANE = columns({ lane: "int" });

const LANES = columns({
  lane: "int",
  workspace_id: "uuid",
  enabled: "boolean",
  ordered: "boolean",
  rate_per_second: "smallint?",
  version: "int",
  endpoint_id: "uuid",
  /** The next of its events may have been parked before it was enabled again. */
  releases: "boolean",
  /** Deliveries that waited were last given an earlier time then, in milliseconds. */
  advanced_at: "float8?",
  /** A delivery was last asked for by a person then, in milliseconds. */
  asked_at: "float8?",
  /** It has failed since its last success. */
  failing: "boolean",
  /** For so long that its workspace is to be warned. */
  warns: "boolean",
});

/** uuid: the event of the lane's first row that was not attempted yet. */
const FIRST_EVENT = `select d.event_id from deliver d
         where p.parked_before is not null and ${inLane("d", `(p.lane % ${SLOTS})`, "p.lane")} and d.due = '-infinity'
         order by ${orderIn("d")} limit 1`;

/** The endpoints of lanes; a lane whose endpoint was deleted is not among the answers. */
export const endpointLanes = hotFunction({
  name: "endpoint_lanes",
  input: LANE,
  answers: LANES,
  writes: false,
  body: `return query select w.*
  from ${recordset(LANE)}
  ${each(
    "w",
    `select p.lane, p.workspace_id, p.enabled, p.ordered, p.rate_per_second, p.version, p.id,
       p.parked_before > (${FIRST_EVENT}) is true, ${ms("p.advanced_at")}, ${ms("p.asked_at")}, p.failing_since is not null,
       p.failing_since is not null and ${IS_WARNING_DUE}
     from webhook_endpoint p where p.lane = x.lane`,
  )};`,
});
export type EndpointLane = AnswerOf<typeof LANES>;

const FAILING = columns({ workspace_id: "uuid", endpoint_id: "uuid" });

/** Warns the workspaces of endpoints that have failed for so long, once for each stage. */
export const warnEndpoints = hotFunction({
  name: "warn_endpoints",
  input: FAILING,
  answers: columns({ slots_mask: "text" }),
  declare: `${EVENT_VARIABLES}
  r record;
  w record;`,
  body: `
for r in select x.workspace_id, x.endpoint_id from ${recordset(FAILING)} order by 1, 2 loop
  ${WARN_OF_ENDPOINT}
end loop;
return query select ${SLOTS_MASK} from generate_series(1, json_array_length(rows));`,
});
