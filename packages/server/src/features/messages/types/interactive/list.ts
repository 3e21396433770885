import { Type } from "typebox";
import { interactiveKind } from "./kind.ts";
import { bodyOf, checkDistinct, footer, label, text, textHeader } from "./parts.ts";
import { checkSections, sectionsOf } from "./sections.ts";

/** In all sections together. */
const MOST_ROWS = 10;
const LONGEST_BODY = 4_096;
const LONGEST_ID = 200;
const LONGEST_TITLE = 24;
const LONGEST_DESCRIPTION = 72;

const Row = Type.Object({
  id: text(LONGEST_ID),
  title: text(LONGEST_TITLE),
  description: Type.Optional(text(LONGEST_DESCRIPTION)),
});

export const list = interactiveKind({
  name: "list",
  description: "A list of up to ten rows, opened by a button.",
  parts: { header: Type.Optional(textHeader), body: bodyOf(LONGEST_BODY), footer },
  action: Type.Object({ button: label(), sections: sectionsOf("rows", Row, MOST_ROWS) }),
  check({ sections }, at) {
    checkSections(sections, "rows", MOST_ROWS, `${at}/sections`);
    const rows = sections.flatMap((section, outer) =>
      section.rows.map(({ id }, inner) => ({ id, at: `${at}/sections/${outer}/rows/${inner}/id` })),
    );
    checkDistinct(
      rows.map(({ id }) => id),
      (index) => rows[index]?.at ?? at,
      "id of a row",
    );
  },
});
