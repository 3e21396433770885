type Fields = Readonly<Record<string, unknown>>;

/** The names in a `fields` parameter, without what stands in braces behind them: `id,phone_numbers{id}`. Null: none was given. */
export function namesOf(fields: unknown): ReadonlySet<string> | null {
  const text = Array.isArray(fields) ? fields.join(",") : fields;
  if (typeof text !== "string" || text.trim() === "") return null;
  const names = new Set<string>();
  let depth = 0;
  let name = "";
  for (const sign of `${text.replaceAll(/["'[\]\s]/g, "")},`) {
    if (sign === "{" || sign === "(") depth += 1;
    if (depth === 0 && sign === ",") {
      names.add(name.replace(/\..*$/, ""));
      name = "";
    } else if (depth === 0) name += sign;
    if (sign === "}" || sign === ")") depth -= 1;
  }
  return names;
}

/** What of an object was asked for: its id always, of the others those that are named, and all where none is. What it has not is left out. */
export function picked(object: Fields, fields: unknown): Fields {
  const names = namesOf(fields);
  const has = Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(has.filter(([name]) => names === null || name === "id" || names.has(name)));
}

/** The one place in a list of one page. */
const WHOLE = "MA";

/**
 * A whole list as one page of the provider's. A page before or behind it is empty and has no `paging`: clients that
 * page by cursors end there, and some of them demand cursors wherever `paging` is.
 */
export function wholePage(data: readonly object[], { after, before }: Readonly<Record<string, unknown>>): object {
  if (data.length === 0 || after || before) return { data: [] };
  return { data, paging: { cursors: { before: WHOLE, after: WHOLE } } };
}
