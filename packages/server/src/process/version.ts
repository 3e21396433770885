/** Reported in `/healthz`, the OpenAPI document, `User-Agent` and the worker table. */
export const VERSION = "0.2.0";
