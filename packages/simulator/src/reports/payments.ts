import { isRecord } from "../lib/shape.ts";
import { type Reported, reportOrReturn } from "../simulation/report.ts";
import { numberValue, type Simulation, timestampOf } from "../simulation/simulation.ts";
import type { PhoneNumber } from "../world/world.ts";
import { messageOf } from "./numbers.ts";

/**
 * A status of the payment that a message asked for (`captured`, `pending`, `failed`), which says nothing of how far the message came. What
 * `payment` gives stands above what the message itself asked for (`order_details`: reference, amount, currency). Of a message that was not
 * sent here `phone_number_id` and `person` say where it belongs; further keys go into the status as given.
 */
export type PaymentInput = {
  id: string;
  status: string;
  payment?: Record<string, unknown>;
  phone_number_id?: string;
  person?: string;
  timestamp?: string;
  report?: boolean;
  [key: string]: unknown;
};

export function reportPayment(sim: Simulation, number: PhoneNumber, input: PaymentInput): Reported {
  const { id, status, payment, timestamp = timestampOf(sim.clock), report: reporting, ...more } = input;
  const { phone_number_id: _number, person: _person, ...given } = more;
  const { identity, byUserId, entry } = messageOf(sim, number, input);
  const item = {
    id,
    status,
    timestamp,
    ...(byUserId ? { recipient_user_id: identity.userId } : { recipient_id: identity.waId }),
    type: "payment",
    payment: { ...askedFor(entry.request), ...payment },
    ...given,
  };
  const value = { ...numberValue(number), statuses: [item] };
  return reportOrReturn(sim, number.account, { field: "messages", value, report: reporting });
}

const USUAL = { reference_id: "order-17", amount: { value: 21_000, offset: 100 }, currency: "INR" };

/** What the request of the message says of its payment; of any other message the payment that the documentation shows. */
function askedFor(request: unknown): Record<string, unknown> {
  const interactive = isRecord(request) ? request["interactive"] : undefined;
  const action = isRecord(interactive) ? interactive["action"] : undefined;
  const details = isRecord(action) ? action["parameters"] : undefined;
  if (!isRecord(details) || details["reference_id"] === undefined) return USUAL;
  const { reference_id, total_amount = USUAL.amount, currency = USUAL.currency } = details;
  return { reference_id, amount: total_amount, currency };
}
