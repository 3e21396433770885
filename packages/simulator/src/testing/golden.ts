import { readFileSync } from "node:fs";

export const FOLDER = new URL("../../../../fixtures/provider/", import.meta.url);
/** A golden file as it was written. */
export const golden = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));

/** The payload with each value replaced by the name of its type. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
