/** The first one needs no name in the address. */
export const TABS = ["timeline", "content", "raw", "deliveries"] as const;
export type Tab = (typeof TABS)[number];
