/** Some of the provider's own ids of time zones, by number, with their IANA names. */
export const TIME_ZONES: Readonly<Record<string, string>> = {
  "0": "UTC",
  "1": "America/Los_Angeles",
  "6": "America/Chicago",
  "7": "America/New_York",
  "25": "America/Sao_Paulo",
  "47": "Europe/Berlin",
  "58": "Europe/London",
  "66": "Asia/Jakarta",
  "71": "Asia/Kolkata",
  "77": "Asia/Tokyo",
  "100": "Pacific/Auckland",
  "474": "UTC",
};
