/** Code points of a preview, the mark of what is left out included. */
export const LONGEST_PREVIEW = 160;

/** Of a long text so much is looked at, in UTF-16 units: more than a preview has, whatever spaces are in it. */
const LOOKED_AT = 2_000;
const LEFT_OUT = "…";
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The beginning of a text in one line, cut between characters as people see them; null where nothing of it can be seen. */
export function oneLine(text: string): string | null {
  const start = text.trimStart();
  const line = start
    .slice(0, LOOKED_AT)
    // What the cut has left of a pair.
    .replace(/[\uD800-\uDBFF]$/, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line === "") return null;
  if (start.length <= LOOKED_AT && fits(line)) return line;
  return `${beginning(line, LONGEST_PREVIEW - 1).trimEnd()}${LEFT_OUT}`;
}

/** A code point has one or two units: of most lines their length says it. */
const fits = (line: string): boolean =>
  line.length <= LONGEST_PREVIEW || (line.length <= 2 * LONGEST_PREVIEW && Array.from(line).length <= LONGEST_PREVIEW);

/** So many code points, or fewer where the next one belongs to the character before it. */
function beginning(line: string, most: number): string {
  let end = 0;
  let count = 0;
  for (const point of line) {
    if (count === most) break;
    end += point.length;
    count += 1;
  }
  if (end === line.length) return line;
  // Only the last word is looked at: no character goes on behind a space, and to divide all of a line takes half a millisecond.
  const word = line.lastIndexOf(" ", end - 1) + 1;
  const at = GRAPHEMES.segment(line.slice(word, end + LONGEST_PREVIEW)).containing(end - word)?.index;
  // One character of very many marks is cut all the same.
  return line.slice(0, word + (at ?? 0) || end);
}
