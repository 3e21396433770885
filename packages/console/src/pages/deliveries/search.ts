import { oneOf, searchOf, text, time } from "../../search.ts";

export const STATUSES = ["pending", "succeeded", "failed", "parked"] as const;

/** Filters of a list of deliveries, as the API has them. */
export const DELIVERY_FILTERS = {
  status: oneOf(STATUSES),
  kind: text,
  message_id: text,
  contact_id: text,
  created_after: time,
  created_before: time,
};

export const deliveryFilters = searchOf({ ...DELIVERY_FILTERS, webhook_endpoint_id: text });
export type DeliveryFilters = ReturnType<typeof deliveryFilters>;

/** Filters and place of the list of deliveries, and the one that is open beside it. */
export const deliveriesSearch = searchOf({
  ...DELIVERY_FILTERS,
  webhook_endpoint_id: text,
  cursor: text,
  beside: text,
});
export type DeliveriesSearch = ReturnType<typeof deliveriesSearch>;

/** What of it the API is asked for. */
export const askedOf = ({ beside: _beside, ...asked }: DeliveriesSearch) => asked;
