import type { Contact } from "@waypost/sdk";

type Attributes = Contact["attributes"];
type Value = Attributes[string];

/** As they are edited: `name = value`, a line each. A text that would be read as a number or a yes stands in quotes. */
export const attributeLines = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name} = ${valueIn(String(value)) === value ? String(value) : JSON.stringify(value)}`)
    .join("\n");

/** What is to be changed for these lines to hold: null for a name that is gone. */
export function attributeChanges(lines: string, before: Attributes): Record<string, Value | null> {
  const after = Object.fromEntries(
    lines
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line): [string, Value] => {
        const equals = line.indexOf("=");
        return equals < 0 ? [line, ""] : [line.slice(0, equals).trim(), valueIn(line.slice(equals + 1).trim())];
      }),
  );
  const changed = Object.entries(after).filter(([name, value]) => before[name] !== value);
  const gone = Object.keys(before).filter((name) => !(name in after));
  return { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((name) => [name, null])) };
}

function valueIn(text: string): Value {
  if (text === "true" || text === "false") return text === "true";
  if (/^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text) return Number(text);
  if (!/^".*"$/.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
