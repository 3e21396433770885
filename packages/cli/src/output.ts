/** The option of every command that calls a gateway. */
export const BASE_URL = [
  "--base-url <url>",
  "the gateway's address; else WAYPOST_BASE_URL, else that of `npm start`",
] as const;

/** Prints a resource as the API returns it. */
export const printJson = (resource: object): void => console.log(JSON.stringify(resource, null, 2));
