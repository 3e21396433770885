/** The first things that a person does, in the order in which they stand. */
export const STEPS = ["send", "answer", "reply", "receive", "break"] as const;
export type Step = (typeof STEPS)[number];

/** A person of the simulator, and a template that the demo workspace has. */
export const FIRST_PERSON = "+15551230001";
export const FIRST_TEMPLATE = "order_ready";

/** Recipients of the simulator that always fail in the same way: what is seen then, and their numbers. */
export const FAILING = [
  ["notReachable", "+12025550101"],
  ["overloaded", "+12025550114"],
  ["noAnswer", "+12025550121"],
] as const;
