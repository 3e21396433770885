import { oneOf, searchOf, text } from "../../search.ts";
import { DELIVERY_FILTERS } from "../deliveries/search.ts";

/** The first one needs no name in the address. */
export const TABS = ["deliveries", "settings", "replays"] as const;

/**
 * Part of an endpoint's page, filters of its deliveries and place in them, the delivery beside them, the sheet over it, and the replay
 * that is watched.
 */
export const endpointSearch = searchOf({
  tab: oneOf(TABS),
  ...DELIVERY_FILTERS,
  cursor: text,
  open: oneOf(["edit", "rotate"]),
  replay: text,
  beside: text,
});
export type EndpointSearch = ReturnType<typeof endpointSearch>;
