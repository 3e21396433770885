/** Industries of a business, by the provider's words. */
export const VERTICALS = [
  "ALCOHOL",
  "APPAREL",
  "AUTO",
  "BEAUTY",
  "EDU",
  "ENTERTAIN",
  "EVENT_PLAN",
  "FINANCE",
  "GOVT",
  "GROCERY",
  "HEALTH",
  "HOTEL",
  "MATRIMONY_SERVICE",
  "NONPROFIT",
  "NOT_A_BIZ",
  "ONLINE_GAMBLING",
  "OTC_DRUGS",
  "OTHER",
  "PHYSICAL_GAMBLING",
  "PROF_SERVICES",
  "RESTAURANT",
  "RETAIL",
  "TRAVEL",
] as const;

/** `PROF_SERVICES` as `Prof services`. */
export const nameOfVertical = (vertical: string): string =>
  vertical.slice(0, 1) + vertical.slice(1).toLowerCase().replaceAll("_", " ");
