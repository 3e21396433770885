/** A command that calls a path of the API, ready to be pasted; the key is not in it. `body`: of a POST. */
export const curlOf = (address: string, body?: object): string =>
  [
    `curl ${quoted(address)}`,
    '-H "Authorization: Bearer $WAYPOST_API_KEY"',
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" ");

/** In single quotes for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
