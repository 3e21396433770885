import { DAY_MS } from "../../../lib/duration.ts";
import type { Definition } from "../definition.ts";
import { addFault, type Place, recordOf, type Sent } from "./sent.ts";

/** The end of an offer lies no further ahead: what does is in another unit, or a slip of the year. */
const FURTHEST_MS = 3_653 * DAY_MS;

type Where = { place: Place; sendsAt: number | undefined };

/** Whether a limited-time offer has the end that it needs, in milliseconds and after the message leaves. */
export function checkOffer({ offer }: Definition, sent: Sent | undefined, { place, sendsAt }: Where): void {
  if (offer === "none") {
    if (sent) addFault(place, sent.at, "unexpected", "The template has no limited-time offer. Remove this component.");
    return;
  }
  // The provider's pages show the end both in the component and in its parameter.
  const given = [
    {
      at: `${sent?.at}/parameters/0/limited_time_offer`,
      object: recordOf(sent?.parameters[0]?.["limited_time_offer"]),
    },
    { at: `${sent?.at}/limited_time_offer`, object: recordOf(sent?.fields["limited_time_offer"]) },
  ];
  const ends = given.flatMap(({ at, object }) => {
    const end = object?.["expiration_time_ms"];
    return end === undefined ? [] : [{ at: `${at}/expiration_time_ms`, end }];
  });
  if (ends.length === 0 && offer === "ends") {
    const detail =
      "The end of the limited-time offer is missing. Add a component of type limited_time_offer with its expiration_time_ms.";
    addFault(place, sent ? `${sent.at}/limited_time_offer` : place.at, "missing", detail);
  }
  if (sendsAt === undefined) return;
  for (const { at, end } of ends) {
    const fault = typeof end === "number" ? faultOfEnd(end, sendsAt) : null;
    if (fault !== null) addFault(place, at, fault.code, `The end of the limited-time offer ${fault.detail}`);
  }
}

/** What is wrong with an end; a slip of the unit is called one. */
function faultOfEnd(end: number, sendsAt: number): { code: string; detail: string } | null {
  if (isNear(end, sendsAt) && end > sendsAt) return null;
  for (const [unit, inMs, remedy] of UNITS)
    if (isNear(end * inMs, sendsAt))
      return { code: "unit", detail: `is given in milliseconds since 1970; this looks like ${unit}. ${remedy}.` };
  if (end > sendsAt)
    return { code: "too_far", detail: "lies more than ten years ahead. Give it in milliseconds since 1970." };
  return {
    code: "past",
    detail: "has passed when the message is sent. Give a later time, in milliseconds since 1970.",
  };
}

const UNITS = [
  ["seconds", 1_000, "Multiply it by 1000"],
  ["microseconds", 1 / 1_000, "Divide it by 1000"],
  ["nanoseconds", 1 / 1_000_000, "Divide it by 1000000"],
] as const;

const isNear = (ms: number, sendsAt: number): boolean => Math.abs(ms - sendsAt) <= FURTHEST_MS;
