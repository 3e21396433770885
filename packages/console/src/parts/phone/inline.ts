/** A stretch of text with one look. `variable`: a place that no value fills yet. */
export type Inline = { text: string; bold?: true; italic?: true; strike?: true; code?: true; variable?: true };

type Style = "bold" | "italic" | "strike";
const MARKS: Readonly<Record<string, Style>> = { "*": "bold", _: "italic", "~": "strike" };

/**
 * Text as the provider's apps show it: `*bold*`, `_italic_`, `~strike~`, three backticks for code, and `{{name}}` filled with its value.
 * A mark counts where it touches text on its inner side and no letter on its outer one; within code no mark counts. What values hold is
 * not read for variables.
 */
export function inlineOf(source: string, values: Readonly<Record<string, string>> = {}): Inline[] {
  return source
    .split(/(```[\s\S]+?```)/)
    .flatMap((part) =>
      part.length > 6 && part.startsWith("```") && part.endsWith("```")
        ? [{ text: part.slice(3, -3), code: true as const }]
        : styled(part, values, {}),
    )
    .filter(({ text }) => text !== "");
}

function styled(
  source: string,
  values: Readonly<Record<string, string>>,
  look: Partial<Record<Style, true>>,
): Inline[] {
  const found = /(?<![\p{L}\p{N}])([*_~])(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}])/u.exec(source);
  if (found === null) return filled(source, values, look);
  const [whole, mark = "", inner = ""] = found;
  const style = MARKS[mark];
  if (style === undefined) return filled(source, values, look);
  return [
    ...filled(source.slice(0, found.index), values, look),
    ...styled(inner, values, { ...look, [style]: true }),
    ...styled(source.slice(found.index + whole.length), values, look),
  ];
}

function filled(
  source: string,
  values: Readonly<Record<string, string>>,
  look: Partial<Record<Style, true>>,
): Inline[] {
  return source.split(/(\{\{\s*\w+\s*\}\})/).map((part): Inline => {
    const name = /^\{\{\s*(\w+)\s*\}\}$/.exec(part)?.[1];
    if (name === undefined) return { text: part, ...look };
    const value = values[name];
    return value === undefined ? { text: name, variable: true, ...look } : { text: value, ...look };
  });
}
