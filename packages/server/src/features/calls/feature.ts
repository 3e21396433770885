import type { Feature } from "../../feature.ts";
import { takeCalls } from "./call.store.ts";
import { CALL_EVENTS } from "./events.ts";

/** Calls, as the provider reports them. */
export const calls: Feature = {
  name: "calls",
  functions: [takeCalls],
  events: [CALL_EVENTS],
};
