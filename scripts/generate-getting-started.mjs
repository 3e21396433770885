import { replaceBlock } from "./generate-cloud-api.mjs";

/** docs/getting-started.md with the fields of callbacks that Waypost reads and its table does not name. */
export function gettingStartedPage(page, fields) {
  const table = page.split("<!-- generated: fields -->")[0] ?? "";
  const others = fields.filter((field) => !table.includes(`\`${field}\``)).toSorted();
  return replaceBlock("docs/getting-started.md", page, [
    "fields",
    `${others.map((field) => `\`${field}\``).join(" ")}\n`,
  ]);
}
