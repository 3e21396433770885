/** A call as the provider reports it; fields that it did not give are absent. */
export type ProviderCall = {
  id: string;
  /** `connect` and `terminate` of the call itself; absent of what became of a call that the business made: that is its `status`. */
  event?: string;
  direction?: string;
  status?: string;
  /** Whole seconds, as texts. */
  start_time?: string;
  end_time?: string;
  /** Seconds. */
  duration?: number;
};

/** A person in the phone book. `phone`: digits, as in a message. */
export type PhoneBookEntry = { phone: string; name: string | null; removed: boolean; at: number | null };
