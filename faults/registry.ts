import { courses } from "./courses.ts";
import { deadRows } from "./dead-rows.ts";
import { eventErrors } from "./event-errors.ts";
import type { Experiment } from "./experiment.ts";
import { fanOut } from "./fan-out.ts";
import { feed } from "./feed.ts";
import { frontKills } from "./front-kills.ts";
import { fullDisk } from "./full-disk.ts";
import { halfSent } from "./half-sent.ts";
import { hangingEndpoints } from "./hanging-endpoints.ts";
import { hangingNumber } from "./hanging-number.ts";
import { kills, rolling } from "./kills.ts";
import { media } from "./media.ts";
import { month } from "./month.ts";
import { oneNumber } from "./one-number.ts";
import { ordered } from "./ordered.ts";
import { lapses, outage } from "./outage.ts";
import { searches } from "./searches.ts";
import { silence } from "./silence.ts";
import { slots } from "./slots.ts";

/** All experiments by name, in the order in which they run. */
export const EXPERIMENTS: Record<string, Experiment> = {
  kills,
  rolling,
  "front-kills": frontKills,
  slots,
  silence,
  outage,
  lapses,
  "hanging-number": hangingNumber,
  "hanging-endpoints": hangingEndpoints,
  "event-errors": eventErrors,
  feed,
  "full-disk": fullDisk,
  "fan-out": fanOut,
  ordered,
  courses,
  media,
  month,
  "one-number": oneNumber,
  "dead-rows": deadRows,
  searches,
  "half-sent": halfSent,
};
