import { columns, hotFunction, recordset } from "./hot-function.ts";

/**
 * What regular work asks before it runs: whether there is anything for it to do. `rows` is a query over all workspaces that finds a row
 * if so, at the time `now`. It must be answered by an index, because all that is asked at one moment is one statement.
 */
export type Question = { name: string; rows: string };

const ASKED = columns({ question: "text" });

/** The function that answers these questions by their names: an answer row for each whose answer is yes. */
export const answering = (questions: readonly Question[]) =>
  hotFunction({
    name: "find_work",
    writes: false,
    input: ASKED,
    answers: ASKED,
    declare: "asked text; has_any boolean;",
    // A statement for each, so that one that is not asked costs nothing.
    body: `
for asked in select x.question from ${recordset(ASKED)} loop
  has_any := false;
${questions.map(({ name, rows }) => `  if asked = '${name}' then has_any := exists (${rows}); end if;`).join("\n")}
  if has_any then return query select asked; end if;
end loop;`,
  });
