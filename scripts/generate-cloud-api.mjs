const BEGIN = "<!-- generated: ";
const END = "<!-- end -->";

/** docs/cloud-api.md with its tables made from the table of calls and that of errors; its texts are written in the page. */
export function cloudApiPage(page, calls, errors) {
  const of = (kind) =>
    table(
      ["Call", "What"],
      calls.filter((call) => call.kind === kind).map(({ method, path, summary }) => [`\`${method} ${path}\``, summary]),
    );
  const codes = table(
    ["Waypost's code", "HTTP", "Code", "Subcode", "Transient"],
    Object.entries(errors).map(([code, { status, code: number, subcode, transient }]) => [
      `\`${code}\``,
      status,
      number,
      subcode ?? "",
      transient ? "yes" : "",
    ]),
  );
  const tables = { served: of("served"), passed: of("passed"), refused: of("refused"), errors: codes };
  return Object.entries(tables).reduce((all, block) => replaceBlock("docs/cloud-api.md", all, block), page);
}

/** A page with another text between the lines that name a block. Throws where it has no such lines. */
export function replaceBlock(file, page, [name, text]) {
  const begin = `${BEGIN}${name} -->\n`;
  const [before, rest] = page.split(begin);
  const end = rest?.indexOf(END) ?? -1;
  if (end < 0) throw new Error(`${file} must have the lines ${begin.trim()} and ${END}`);
  return `${before}${begin}\n${text}\n${rest.slice(end)}`;
}

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
