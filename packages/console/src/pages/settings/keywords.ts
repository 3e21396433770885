/** Keywords by language, as the API has them. */
export type Keywords = Readonly<Record<string, readonly string[]>>;

/** A line for each language: `en: STOP, UNSUBSCRIBE`. */
export const writeKeywords = (keywords: Keywords): string =>
  Object.entries(keywords)
    .map(([language, words]) => `${language}: ${words.join(", ")}`)
    .join("\n");

/** The same read back; null for no line, which sets the defaults. A line without a colon is a language without keywords, for the API to refuse. */
export function readKeywords(written: string): Record<string, string[]> | null {
  const lines = written
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0) return null;
  const read: Record<string, string[]> = {};
  for (const line of lines) {
    const at = line.indexOf(":");
    const language = (at < 0 ? line : line.slice(0, at)).trim();
    const words = at < 0 ? [] : line.slice(at + 1).split(",");
    read[language] = [...(read[language] ?? []), ...words.map((word) => word.trim()).filter(Boolean)];
  }
  return read;
}
