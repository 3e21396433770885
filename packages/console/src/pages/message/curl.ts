/** A command that reads a path of the API, ready to be pasted; the key is not in it. */
export const curlOf = (address: string): string =>
  `curl ${quoted(address)} -H "Authorization: Bearer $WAYPOST_API_KEY"`;

/** In single quotes for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
