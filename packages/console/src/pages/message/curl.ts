/**
 * A command that calls a path of the API, ready to be pasted. The key is not in it, but the variable in which the command line has it: the
 * operator's paths take no other key than the operator's. `body`: of a POST.
 */
export const curlOf = (address: string, body?: object): string =>
  [
    `curl ${quoted(address)}`,
    `-H "Authorization: Bearer ${isOperators(address) ? "$WAYPOST_OPERATOR_KEY" : "$WAYPOST_API_KEY"}"`,
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" ");

const isOperators = (address: string): boolean => new URL(address).pathname.includes("/admin/v1/");

/** In single quotes for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
