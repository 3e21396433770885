/** A message from a person, as the business got it. `at` in epoch milliseconds. */
export type InboundEntry = {
  at: number;
  id: string;
  phone_number_id: string;
  /** The number, or the user id where only that is known. */
  from: string;
  type: string;
  /** Its keys as in the callback; null: it is too large to be kept. */
  message: Readonly<Record<string, unknown>> | null;
  /** The business has marked it as read. */
  read: boolean;
};
