import { expect, it } from "vitest";
import type { Feature } from "../../packages/server/src/feature.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { testDatabase } from "../../packages/server/src/testing/database.ts";
import { DECLARED } from "../../packages/server/src/testing/declared.ts";

it("has a decision for each table: whether people's data is in it, and what an erasure does", async () => {
  const database = await testDatabase();
  try {
    const tables = await withClient(database.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select c.relname as name from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
      );
      return rows.map(({ name }) => name);
    });
    expect(undecidedOfPeople(DECLARED, tables)).toEqual([]);
  } finally {
    await database.drop();
  }
});

it("says of a table without a decision where to write it", () => {
  const grants = { reminder: { app: "select", engine: "" } };
  expect(undecidedOfPeople([{ name: "reminders", grants }], ["reminder", "nobodys"])).toEqual([
    "nobodys: no feature has it. Name it in `grants` and `forgets` of its feature.ts.",
    "reminder: say in `forgets` of the declaration of reminders (feature.ts) what it holds of people and what an erasure does (`tables`), or that it holds nothing (`without`).",
  ]);
  const decided = { tables: { reminder: { holds: "texts", erasure: "at once" } }, without: ["reminder", "other"] };
  expect(undecidedOfPeople([{ name: "reminders", grants, forgets: decided }], ["reminder"])).toEqual([
    "reminder: `forgets` of the declaration of reminders (feature.ts) names it twice.",
    "other: `forgets` of the declaration of reminders (feature.ts) names it, and `grants` does not.",
  ]);
});

type Declaration = Pick<Feature, "name" | "grants" | "forgets">;

/** Where the declaration is written. */
const placeOf = ({ name }: Declaration): string =>
  name === "server" ? "src/server-tables.ts" : `the declaration of ${name} (feature.ts)`;

/** Tables of which it is not said, or said twice or for nothing, what they hold of people. */
function undecidedOfPeople(declarations: readonly Declaration[], tables: readonly string[]): string[] {
  const granted = new Set(declarations.flatMap(({ grants }) => Object.keys(grants ?? {})));
  const nowhere = tables
    .filter((table) => !granted.has(table))
    .map((table) => `${table}: no feature has it. Name it in \`grants\` and \`forgets\` of its feature.ts.`);
  return [...nowhere, ...declarations.flatMap(undecidedIn)];
}

function undecidedIn(declaration: Declaration): string[] {
  const { grants = {}, forgets = {} } = declaration;
  const decided = [...Object.keys(forgets.tables ?? {}), ...(forgets.without ?? [])];
  const missing = Object.keys(grants).filter((table) => !decided.includes(table));
  const twice = decided.filter((table, at) => decided.indexOf(table) !== at);
  const unknown = decided.filter((table) => !(table in grants));
  return [
    ...missing.map(
      (table) =>
        `${table}: say in \`forgets\` of ${placeOf(declaration)} what it holds of people and what an erasure does (\`tables\`), or that it holds nothing (\`without\`).`,
    ),
    ...twice.map((table) => `${table}: \`forgets\` of ${placeOf(declaration)} names it twice.`),
    ...unknown.map((table) => `${table}: \`forgets\` of ${placeOf(declaration)} names it, and \`grants\` does not.`),
  ];
}
