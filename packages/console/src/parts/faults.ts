import type { FieldError } from "@waypost/sdk";

/** What is wrong with the fields of a form, by their paths, and what belongs to none of them. */
export type Faults = { byPath: ReadonlyMap<string, string>; rest: readonly FieldError[] };

/**
 * Gives each fault of a refusal to the field of its path: that of `/template/components/0` is `template.components.0`, or else the field of
 * the nearest part around it.
 */
export function faultsOf(errors: readonly FieldError[], paths: Iterable<string>): Faults {
  const known = new Set(paths);
  const byPath = new Map<string, string>();
  const rest: FieldError[] = [];
  for (const error of errors) {
    const path = nearest(pathOf(error.pointer), known);
    if (path === null) rest.push(error);
    else byPath.set(path, [byPath.get(path), error.detail].filter(Boolean).join(" "));
  }
  return { byPath, rest };
}

/** The path that a JSON pointer, or the name of a query's part (`?from`), has in a form. */
const pathOf = (pointer: string): string =>
  pointer.startsWith("?")
    ? pointer.slice(1)
    : pointer
        .slice(1)
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
        .join(".");

function nearest(path: string, known: ReadonlySet<string>): string | null {
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const part = path.slice(0, end);
    if (known.has(part)) return part;
  }
  return null;
}
