/** What the provider charges for, as its `pricing` object says. */
export type Pricing = {
  billable?: boolean;
  pricing_model: "PMP";
  type: string;
  category: string;
  /** `paid_exempt`: of an organisation that need not pay. */
  subtype?: string;
};

/** What decides the price of a message, as it was when it was sent. */
export type Charge = {
  /** Of its template, in lower case, or `service`. */
  category: string;
  isReaction: boolean;
  inWindow: boolean;
  /** The end of the free time of an entry point, in milliseconds; null: it was sent in none. */
  freeUntil: number | null;
};
