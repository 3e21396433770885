import { columns, hotFunction, lookUp, of } from "../../../db/hot-function.ts";
import { slotOfLane } from "../../../lanes/lane-kinds.ts";
import type { EndpointRow } from "../endpoints/endpoint.store.ts";

export const STATUSES = ["active", "failing", "disabled"] as const satisfies readonly EndpointRow["status"][];

/** Deliveries that are counted of one endpoint. */
const MOST_PARKED = 100_000;

/** How many endpoints there are of each status, and how many deliveries wait for the disabled ones. */
export const countEndpoints = hotFunction({
  name: "count_endpoints",
  writes: false,
  input: [],
  answers: columns({ status: of<EndpointRow["status"]>("text"), endpoints: "int", parked: "int" }),
  body: `return query
select w.status, count(*)::int, coalesce(sum(d.parked), 0)::int from webhook_endpoint w
${lookUp(
  "d",
  `select count(*)::int as parked from (
     select from deliver d where w.status = 'disabled' and d.slot = ${slotOfLane("w.lane")} and d.lane = w.lane
     limit ${MOST_PARKED}) d`,
)}
group by w.status order by w.status;`,
});
