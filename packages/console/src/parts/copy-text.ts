/** Writes to the clipboard; false where the browser refuses, such as over plain http. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** `msg_01m8…gkcf`: the prefix, what says the time roughly, and the last four, by which people tell ids apart. */
export function shortId(id: string): string {
  const match = /^([a-z]+_)(.{4}).+(.{4})$/.exec(id);
  return match === null
    ? id.length > 16
      ? `${id.slice(0, 8)}…${id.slice(-4)}`
      : id
    : `${match[1]}${match[2]}…${match[3]}`;
}
