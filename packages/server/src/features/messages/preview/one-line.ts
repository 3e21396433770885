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
  if (start.length <= LOOKED_AT && codePoints(line) <= LONGEST_PREVIEW) return line;
  return `${beginning(line, LONGEST_PREVIEW - 1).trimEnd()}${LEFT_OUT}`;
}

const codePoints = (text: string): number => Array.from(text).length;

function beginning(line: string, most: number): string {
  let end = 0;
  let count = 0;
  for (const { segment, index } of GRAPHEMES.segment(line)) {
    count += codePoints(segment);
    if (count > most) break;
    end = index + segment.length;
  }
  // One character of very many marks.
  return end === 0 ? Array.from(line).slice(0, most).join("") : line.slice(0, end);
}
