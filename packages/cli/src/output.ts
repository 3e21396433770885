/** The option of every command that talks to a gateway. */
export const BASE_URL = [
  "--base-url <url>",
  "the gateway's address; else WAYPOST_BASE_URL, else that of `npm start`",
] as const;

/** A resource as the API has it, for people and for `jq`. */
export const printJson = (resource: object): void => console.log(JSON.stringify(resource, null, 2));
