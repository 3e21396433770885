import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIELD_NAMES, opsOf } from "../packages/console/src/pages/segment/fields.ts";

type Document = { components: { schemas: { Segment: { properties: { filter: { description: string } } } } } };
const document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8")) as Document; // as it is generated
const { description } = document.components.schemas.Segment.properties.filter;

const quotedIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");

it("a segment can be made of every field and operator that the API has", () => {
  const lines = description.split("\n").filter((line) => line.startsWith("| `"));
  const rows = lines.map((line) => line.split("|").slice(1, 3).map(quotedIn));
  // `exists` of times is of the first alone.
  const documented = rows.flatMap(([fields = [], ops = []]) =>
    fields.map(
      (field) => [field.replace(".<name>", ""), ops.filter((op) => op !== "exists" || field !== "created_at")] as const,
    ),
  );
  const mine = FIELD_NAMES.map((name) => [name, opsOf(name)] as const);
  const sorted = (all: readonly (readonly [string, readonly string[]])[]) =>
    Object.fromEntries(all.map(([name, ops]) => [name, ops.toSorted()]));
  expect(sorted(mine)).toEqual(sorted(documented));
});
