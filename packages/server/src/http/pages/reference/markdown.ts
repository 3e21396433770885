import { escapeHtml, inlineHtml, type Link } from "./inline.ts";

/** A heading of a page, by which a link finds it. */
export type Heading = { level: number; id: string; text: string };

/**
 * The HTML of a page of Markdown, well-formed as XML, and its headings: what the project's pages and the descriptions of the document have.
 * HTML in it is text.
 */
export function htmlOf(markdown: string, link: Link): { html: string; headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const lines = markdown.replaceAll(/<!--.*?-->\n?/gs, "").split("\n");
  return { html: blocksOf(lines, { link, headings }), headings };
}

type Page = { link: Link; headings: Heading[] };
/** What a block takes: its HTML, and the number of its lines. */
type Block = { html: string; taken: number };

const FENCE = /^(`{3,})\s*([\w-]*)\s*$/;
const HEADING = /^(#{1,6}) +(.*?)\s*#*$/;
const ITEM = /^(\s*)([-*]|\d{1,3}\.)( +)/;
const SEPARATOR = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;

function blocksOf(lines: readonly string[], page: Page): string {
  let html = "";
  for (let at = 0; at < lines.length; ) {
    if (lines[at]?.trim() === "") {
      at += 1;
      continue;
    }
    const rest = lines.slice(at);
    const block =
      fenceOf(rest) ?? headingOf(rest, page) ?? tableOf(rest, page) ?? listOf(rest, page) ?? paragraphOf(rest, page);
    html += block.html;
    at += block.taken;
  }
  return html;
}

/** The block can be scrolled, and so reached with the keyboard. */
function fenceOf([first = "", ...rest]: readonly string[]): Block | null {
  const [, fence, language = ""] = FENCE.exec(first) ?? [];
  if (fence === undefined) return null;
  const end = rest.findIndex((line) => line.trimEnd() === fence);
  const code = end < 0 ? rest : rest.slice(0, end);
  const named = language === "" ? "" : ` data-language="${escapeHtml(language)}"`;
  const html = `<pre tabindex="0"${named}><code>${escapeHtml(code.join("\n"))}\n</code></pre>\n`;
  return { html, taken: code.length + (end < 0 ? 1 : 2) };
}

function headingOf([first = ""]: readonly string[], { link, headings }: Page): Block | null {
  const [, marks, text] = HEADING.exec(first) ?? [];
  if (marks === undefined || text === undefined) return null;
  const level = marks.length;
  const id = unusedId(text, headings);
  headings.push({ level, id, text: text.replaceAll("`", "") });
  return { html: `<h${level} id="${id}">${inlineHtml(text, link)}</h${level}>\n`, taken: 1 };
}

/** As code hosts name headings, so that links of the project's pages find them. */
function unusedId(text: string, headings: readonly Heading[]): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const id = slug === "" ? "section" : slug;
  const used = new Set(headings.map((heading) => heading.id));
  let number = 0;
  while (used.has(number === 0 ? id : `${id}-${number}`)) number += 1;
  return number === 0 ? id : `${id}-${number}`;
}

function tableOf(lines: readonly string[], { link }: Page): Block | null {
  const [first = "", second = ""] = lines;
  if (!first.startsWith("|") || !SEPARATOR.test(second)) return null;
  const end = lines.findIndex((line) => !line.startsWith("|"));
  const taken = end < 0 ? lines.length : end;
  // A head without a text would be one that readers of screens announce and that says nothing.
  const head = cellsOf(first).map((text) =>
    text === "" ? "<td></td>" : `<th scope="col">${inlineHtml(text, link)}</th>`,
  );
  const rows = lines.slice(2, taken).map((line) => cellsOf(line).map((text) => `<td>${inlineHtml(text, link)}</td>`));
  const body = rows.map((cells) => `<tr>${cells.join("")}</tr>\n`).join("");
  const table = `<table><thead><tr>${head.join("")}</tr></thead>\n<tbody>${body}</tbody></table>`;
  return { html: `<div class="wide" role="group" aria-label="Table" tabindex="0">${table}</div>\n`, taken };
}

/** Bars that are written with a backslash are texts, also in code. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replaceAll(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((text) => text.trim().replaceAll("\\|", "|"));

function listOf(lines: readonly string[], page: Page): Block | null {
  const [, indent, mark = ""] = ITEM.exec(lines[0] ?? "") ?? [];
  if (indent === undefined) return null;
  const ordered = /\d/.test(mark);
  const items: string[][] = [];
  let taken = 0;
  for (const line of lines) {
    const [marker = "", at, sign = ""] = ITEM.exec(line) ?? [];
    const inside = items.at(-1);
    if (at === indent && /\d/.test(sign) === ordered) items.push([line.slice(marker.length)]);
    else if (inside === undefined || !goesOn(line, lines[taken + 1], indent.length)) break;
    else inside.push(line.replace(new RegExp(`^\\s{0,${indent.length + mark.length + 1}}`), ""));
    taken += 1;
  }
  const html = items.map((item) => `<li>${itemHtml(item, page)}</li>\n`).join("");
  const start = ordered && mark !== "1." ? ` start="${Number.parseInt(mark, 10)}"` : "";
  return { html: ordered ? `<ol${start}>${html}</ol>\n` : `<ul>${html}</ul>\n`, taken };
}

/** Whether a line behind the first of an item is of it: indented, the rest of its paragraph, or an empty one before such a line. */
function goesOn(line: string, next: string | undefined, indent: number): boolean {
  const isIndented = (text: string): boolean => /^\s/.test(text) && text.search(/\S/) > indent;
  if (line.trim() === "") return next !== undefined && isIndented(next);
  return isIndented(line) || !isBlockStart(line);
}

/** One paragraph stands without its element. */
function itemHtml(lines: readonly string[], page: Page): string {
  const html = blocksOf(lines, page);
  const [, only] = /^<p>((?:(?!<p>).)*?)<\/p>\n((?:(?!<p>).)*)$/s.exec(html) ?? [];
  return only === undefined ? html : html.replace(/^<p>(.*?)<\/p>\n/s, "$1");
}

const isBlockStart = (line: string): boolean =>
  line.startsWith("|") || FENCE.test(line) || HEADING.test(line) || ITEM.test(line);

function paragraphOf(lines: readonly string[], { link }: Page): Block {
  const end = lines.findIndex((line, index) => line.trim() === "" || (index > 0 && isBlockStart(line)));
  const own = end < 0 ? lines : lines.slice(0, end);
  return { html: `<p>${inlineHtml(own.map((line) => line.trim()).join("\n"), link)}</p>\n`, taken: own.length };
}
