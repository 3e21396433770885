import { type Static, type TSchema, Type } from "typebox";
import { invalidAt } from "../../../../http/problem.ts";
import { text } from "./parts.ts";

const MOST_SECTIONS = 10;
const LONGEST_TITLE = 24;

/** Schema of the sections of a list, each with its items under `field`. */
export const sectionsOf = <Field extends string, Item extends TSchema>(field: Field, item: Item, mostItems: number) =>
  Type.Unsafe<Section<Field, Static<Item>>[]>(
    Type.Array(
      Type.Object({
        title: Type.Optional(text(LONGEST_TITLE, "Required if there are several sections.")),
        [field]: Type.Array(item, { minItems: 1, maxItems: mostItems }),
      }),
      { minItems: 1, maxItems: MOST_SECTIONS },
    ),
  );

type Section<Field extends string, Item> = { title?: string } & { [K in Field]: Item[] };

/** Throws the Problem of a section without the title that it needs, or of more than `mostItems` in all of them together. */
export function checkSections<Field extends string>(
  sections: readonly Section<Field, unknown>[],
  field: Field,
  mostItems: number,
  at: string,
): void {
  const untitled = sections.findIndex(({ title }) => title === undefined);
  if (sections.length > 1 && untitled !== -1)
    throw invalidAt(`${at}/${untitled}/title`, "Give each of several sections a title.", "required");
  const count = sections.reduce((sum, section) => sum + section[field].length, 0);
  if (count > mostItems)
    throw invalidAt(
      at,
      `The sections have ${count} items together: leave ${count - mostItems} of them out, ${mostItems} are allowed.`,
      "maxItems",
    );
}
