/** Where a link of a page leads, as it stands in HTML or Markdown; null for what is not served: its text stays. */
export type Link = (target: string) => string | null;

/** As text, or as the value of an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Code, a link, an address, strong, emphasis, a character that means itself: what the project's pages have. */
const PARTS =
  /(`+)(.+?)\1(?!`)|\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)|<(https?:\/\/[^>\s]+)>|\*\*(\S(?:.*?\S)?)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*|\\([!-/:-@[-`{-~])/gs;

/** The HTML of one paragraph, heading or cell. Nothing of the text becomes markup but what `PARTS` names. */
export function inlineHtml(text: string, link: Link): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(PARTS)) {
    html += escapeHtml(text.slice(end, match.index)) + partHtml(match, link);
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

function partHtml(match: RegExpMatchArray, link: Link): string {
  const [, , code, label, target, address, strong, emphasis, itself] = match;
  if (code !== undefined) return codeHtml(code);
  if (label !== undefined && target !== undefined) return linkHtml(inlineHtml(label, link), link(target));
  if (address !== undefined) return linkHtml(escapeHtml(address), address);
  if (strong !== undefined) return `<strong>${inlineHtml(strong, link)}</strong>`;
  if (emphasis !== undefined) return `<em>${inlineHtml(emphasis, link)}</em>`;
  return escapeHtml(itself ?? "");
}

const linkHtml = (label: string, target: string | null): string =>
  target === null ? label : `<a href="${escapeHtml(target)}">${label}</a>`;

const METHOD = /^(GET|POST|PATCH|PUT|DELETE)( \/\S*)?$/;

/** A method before a path has a look of its own. */
function codeHtml(code: string): string {
  const [, method, path = ""] = METHOD.exec(code) ?? [];
  if (method === undefined) return `<code>${escapeHtml(code)}</code>`;
  return `<code class="call"><b class="${method.toLowerCase()}">${method}</b>${escapeHtml(path)}</code>`;
}

/** The same text with each link where it leads; what is not served stays as text. Code is left alone. */
export const withLinks = (text: string, link: Link): string =>
  text.replaceAll(PARTS, (whole, ...groups: (string | undefined)[]) => {
    const [, , label, target, , strong, emphasis] = groups;
    if (strong !== undefined) return `**${withLinks(strong, link)}**`;
    if (emphasis !== undefined) return `*${withLinks(emphasis, link)}*`;
    if (label === undefined || target === undefined) return whole;
    const leadsTo = link(target);
    return leadsTo === null ? label : `[${label}](${leadsTo})`;
  });

/** A cell of a table: one line, whose bars part no cells. */
export const cell = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

/** A row of a table. */
export const tableRow = (...cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

/** A table of Markdown; nothing for one without rows. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ""
    : [tableRow(...heads), tableRow(...heads.map(() => "---")), ...rows.map((row) => tableRow(...row))].join("\n");
