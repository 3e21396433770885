import { NUMBER_CALLS } from "./number-calls.ts";
import { ACCOUNT_CALLS, FLOW_CALLS, GROUP_CALLS, TEMPLATE_CALLS } from "./object-calls.ts";
import type { PassedCall } from "./passed-call.ts";

/** Every call that is passed on; no other one is. */
export const PASSED_CALLS: readonly PassedCall[] = [
  ...NUMBER_CALLS,
  ...GROUP_CALLS,
  ...ACCOUNT_CALLS,
  ...TEMPLATE_CALLS,
  ...FLOW_CALLS,
];
