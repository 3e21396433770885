/**
 * The OpenAPI document with each response and parameter that operations share in the place of the reference to it, as readers
 * of the document see it.
 */
export function wholeDocument<T extends object>(document: T): T {
  const components = (document as { components?: Components }).components ?? {};
  const parts = (["responses", "parameters"] as const).flatMap((section) =>
    Object.entries(components[section] ?? {}).map(([name, part]) => [`#/components/${section}/${name}`, part] as const),
  );
  const byReference = new Map<unknown, unknown>(parts);
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === "object" && value !== null && "$ref" in value ? (byReference.get(value.$ref) ?? value) : value,
  ) as T;
}

type Components = Partial<Record<"responses" | "parameters", Record<string, unknown>>>;
