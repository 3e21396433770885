/** A part of a JSON value, by its path from the whole: `data.items[0]["content-type"]`. */
export type Found = { path: string; value: unknown };

/** Parts whose name, or whose text where they have no parts of their own, has what is looked for, in small letters or large; up to `most`. */
export function foundIn(whole: unknown, sought: string, most: number): Found[] {
  const wanted = sought.toLowerCase();
  const found: Found[] = [];
  const look = (value: unknown, path: string, name: string): void => {
    if (found.length >= most) return;
    const isWhole = typeof value !== "object" || value === null;
    const shown = typeof value === "string" ? value : isWhole ? JSON.stringify(value) : "";
    if ([name, shown].some((one) => one.toLowerCase().includes(wanted))) found.push({ path, value });
    if (isWhole) return;
    for (const [child, inner] of Object.entries(value))
      look(inner, stepTo(path, child, Array.isArray(value)), Array.isArray(value) ? "" : child);
  };
  look(whole, "", "");
  return found;
}

function stepTo(path: string, child: string, isList: boolean): string {
  if (isList) return `${path}[${child}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(child)) return `${path}[${JSON.stringify(child)}]`;
  return path === "" ? child : `${path}.${child}`;
}
