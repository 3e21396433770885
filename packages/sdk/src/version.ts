/** Of this package; stands in the `User-Agent` of every request. */
export const VERSION = "0.2.0";
