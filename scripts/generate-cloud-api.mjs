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
  return Object.entries(tables).reduce(replaceTable, page);
}

function replaceTable(page, [name, text]) {
  const begin = `${BEGIN}${name} -->\n`;
  const [before, rest] = page.split(begin);
  const end = rest?.indexOf(END) ?? -1;
  if (end < 0) throw new Error(`docs/cloud-api.md must have the lines ${begin.trim()} and ${END}`);
  return `${before}${begin}\n${text}\n${rest.slice(end)}`;
}

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
