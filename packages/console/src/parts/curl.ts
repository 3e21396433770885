/** How an address of the API is called: `body` as JSON, or the file of a name in the directory where the command runs. */
export type How = {
  /** Without it: a POST where something is sent, else a GET. */
  method?: "POST" | "PATCH";
  body?: object;
  file?: { name: string; type: string };
  /** The version that is changed. */
  ifMatch?: string | null;
};

/**
 * A command that calls the API, ready to be pasted. The key is not in it, but the variable in which the command line has it: the
 * operator's paths take no other key than the operator's. Other secrets are their names: who runs it fills them in.
 */
export const curlOf = (address: string, { method, body, file, ifMatch = null }: How = {}): string =>
  [
    `curl ${quoted(address)}`,
    ...(method === undefined ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer ${isOperators(address) ? "$WAYPOST_OPERATOR_KEY" : "$WAYPOST_API_KEY"}"`,
    ...(ifMatch === null ? [] : [`-H ${quoted(`If-Match: ${ifMatch}`)}`]),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(shownBody(body)))}`]),
    ...(file === undefined ? [] : [`-H "Content-Type: ${file.type}"`, `--data-binary ${quoted(`@${file.name}`)}`]),
  ].join(" ");

const isOperators = (address: string): boolean => new URL(address).pathname.includes("/admin/v1/");

/**
 * Fields of bodies that are never returned: they stand at the top. The headers of an endpoint are none of them by name, and any of them by
 * value.
 */
const SECRETS: ReadonlySet<string> = new Set(["access_token", "pin", "secret", "verify_token"]);

/** What stands deeper is a person's own, such as a variable of a template that is called `pin`. */
const shownBody = (body: object): object =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shown(name, value)]));

function shown(name: string, value: unknown): unknown {
  if (SECRETS.has(name) && typeof value === "string") return `<${name}>`;
  if (name !== "headers" || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([header, one]) => [header, one === null ? null : "<value>"]));
}

/** In single quotes for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
