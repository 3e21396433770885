/** The beginning of a CSV file: the names of its columns, and some rows. */
export type CsvHead = { columns: { name: string; index: number }[]; rows: string[][] };

const DELIMITERS = [",", ";", "\t", "|"];

/** Reads what a beginning of a file has, without a last row that may be cut off; null where there is no line of names. */
export function headOf(beginning: string, isWhole: boolean): CsvHead | null {
  let text = beginning.replace(/^\uFEFF/, "");
  const stated = /^sep=(.)\r?\n/i.exec(text);
  if (stated !== null) text = text.slice(stated[0].length);
  const line = text.split(/\r?\n/, 1)[0] ?? "";
  const counts = DELIMITERS.map((one) => line.split(one).length);
  const delimiter = stated?.[1] ?? DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
  const [names, ...rows] = rowsIn(text, delimiter, isWhole);
  if (names === undefined || names.every((name) => name.trim() === "")) return null;
  return { columns: names.map((name, index) => ({ name: name.trim(), index })), rows };
}

function rowsIn(text: string, delimiter: string, isWhole: boolean): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.some((one) => one !== "")) rows.push(row);
    row = [];
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (letter === '"' && cell === "") isQuoted = true;
    else if (letter === delimiter) {
      row.push(cell);
      cell = "";
    } else if (letter === "\n") endRow();
    else if (letter !== "\r") cell += letter;
  }
  if (isWhole && (cell !== "" || row.length > 0)) endRow();
  return rows;
}

/** The fields of a contact that a column may be. */
export const FIELDS = ["phone", "name", "email", "locale", "tags", "marketing_consent", "id"] as const;

const GUESSES: readonly (readonly [RegExp, (typeof FIELDS)[number]])[] = [
  [/^(?:phone|mobile|cell|number|tel|whatsapp|msisdn)/i, "phone"],
  [/^e-?mail/i, "email"],
  [/^(?:full.?)?name$/i, "name"],
  [/^(?:locale|lang)/i, "locale"],
  [/^(?:tags?|labels?)$/i, "tags"],
  [/consent|opt.?in/i, "marketing_consent"],
];

/** What a column probably is: a field of its own name, else by its words; empty for none, which is then ignored. */
export function guessOf(name: string): string {
  if (FIELDS.some((field) => field === name) || name === "attributes" || name.startsWith("attributes.")) return name;
  return GUESSES.find(([words]) => words.test(name))?.[1] ?? "";
}

/** Name of an attribute that a column can become: of letters, digits, `_`, `.` and `-`. */
export const attributeOf = (name: string): string => `attributes.${name.replaceAll(/[^\w.-]+/g, "_").slice(0, 64)}`;

/** As the API takes it. A column without a name, or of a name that another has too, is named by its place. */
export function mappingOf(columns: CsvHead["columns"], chosen: (index: number) => string): string {
  const counts = new Map<string, number>();
  for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
  const pairs = columns.map(({ name, index }) => [
    name === "" || counts.get(name) !== 1 ? `#${index + 1}` : name,
    chosen(index) || null,
  ]);
  return JSON.stringify(Object.fromEntries(pairs));
}
