import type { Behaviour } from "./behaviour.ts";

/** A recipient who always behaves in one way; docs/simulator.md repeats this table for people. */
export type Scenario = { recipient: string; name: string; behaviour: Behaviour };

/**
 * Magic recipients, out of the numbers reserved for fiction (+1 202 555 0100 to 0199), so that they pass any
 * check of phone numbers and are not assigned.
 */
export const SCENARIOS: readonly Scenario[] = [
  { recipient: "12025550101", name: "not on WhatsApp", behaviour: { kind: "fail", code: 131026 } },
  { recipient: "12025550102", name: "marketing cap of this person", behaviour: { kind: "fail", code: 131049 } },
  { recipient: "12025550103", name: "stopped marketing", behaviour: { kind: "fail", code: 131050 } },
  { recipient: "12025550104", name: "in a marketing experiment", behaviour: { kind: "fail", code: 130472 } },
  { recipient: "12025550105", name: "media could not be fetched", behaviour: { kind: "fail", code: 131053 } },
  { recipient: "12025550111", name: "pair rate", behaviour: { kind: "refuse", code: 131056 } },
  { recipient: "12025550112", name: "throughput of the number", behaviour: { kind: "refuse", code: 130429 } },
  { recipient: "12025550113", name: "spam limit", behaviour: { kind: "refuse", code: 131048 } },
  { recipient: "12025550114", name: "provider overloaded", behaviour: { kind: "refuse", code: 131016 } },
  { recipient: "12025550115", name: "unknown failure", behaviour: { kind: "refuse", code: 131000 } },
  { recipient: "12025550116", name: "invalid parameter", behaviour: { kind: "refuse", code: 131009 } },
  { recipient: "12025550117", name: "not in the allowed list", behaviour: { kind: "refuse", code: 131030 } },
  { recipient: "12025550118", name: "permission in doubt", behaviour: { kind: "refuse", code: 10 } },
  { recipient: "12025550119", name: "template changed", behaviour: { kind: "refuse", code: 132012 } },
  { recipient: "12025550120", name: "payment problem", behaviour: { kind: "refuse", code: 131042 } },
  { recipient: "12025550121", name: "no answer, not accepted", behaviour: { kind: "hang" } },
  { recipient: "12025550122", name: "no answer, but accepted", behaviour: { kind: "hang", accept: true } },
  { recipient: "12025550123", name: "reset, not accepted", behaviour: { kind: "reset" } },
  { recipient: "12025550124", name: "reset, but accepted", behaviour: { kind: "reset", accept: true } },
  { recipient: "12025550125", name: "HTML error page, not accepted", behaviour: { kind: "html" } },
  { recipient: "12025550126", name: "HTML error page, but accepted", behaviour: { kind: "html", accept: true } },
  { recipient: "12025550127", name: "200 without an id", behaviour: { kind: "no_id" } },
  { recipient: "12025550128", name: "slow answer (3 s)", behaviour: { kind: "delay", delayMs: 3000 } },
  { recipient: "12025550131", name: "statuses before the answer", behaviour: { kind: "early" } },
  {
    recipient: "12025550132",
    name: "each status twice",
    behaviour: { kind: "statuses", statuses: ["sent", "sent", "delivered", "delivered", "read", "read"] },
  },
  {
    recipient: "12025550133",
    name: "statuses reversed",
    behaviour: { kind: "statuses", statuses: ["read", "delivered", "sent"] },
  },
  { recipient: "12025550134", name: "no status at all", behaviour: { kind: "statuses", statuses: [] } },
  { recipient: "12025550135", name: "only read", behaviour: { kind: "statuses", statuses: ["read"] } },
  { recipient: "12025550136", name: "never read", behaviour: { kind: "statuses", statuses: ["sent", "delivered"] } },
  {
    recipient: "12025550137",
    name: "delivered on one device, failed on another",
    behaviour: { kind: "statuses", statuses: ["sent", "delivered", "failed"], code: 131026 },
  },
  {
    recipient: "12025550138",
    name: "played",
    behaviour: { kind: "statuses", statuses: ["sent", "delivered", "read", "played"] },
  },
  {
    recipient: "12025550139",
    name: "deleted by the person",
    behaviour: { kind: "statuses", statuses: ["sent", "delivered", "deleted"] },
  },
  {
    recipient: "12025550140",
    name: "a warning first",
    behaviour: { kind: "statuses", statuses: ["warning", "sent", "delivered"] },
  },
];

const BY_RECIPIENT: ReadonlyMap<string, Scenario> = new Map(
  SCENARIOS.map((scenario) => [scenario.recipient, scenario]),
);

export function scenarioFor(waId: string): Scenario | undefined {
  return BY_RECIPIENT.get(waId);
}
