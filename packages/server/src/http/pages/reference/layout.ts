import { escapeHtml, withLinks } from "./inline.ts";
import { type Heading, htmlOf } from "./markdown.ts";
import type { ReferencePage } from "./reference-page.ts";
import { linkFrom } from "./site.ts";

/** A page of the reference as a browser gets it; `isIndex`: the one with the search. */
export function pageHtml({ path, title, markdown }: ReferencePage, isIndex: boolean): string {
  const link = linkFrom(path, "html");
  const { html, headings } = htmlOf(markdown(), link);
  const search = isIndex ? SEARCH : "";
  // The search stands below the heading of the page.
  const body = html.replace("</h1>\n", () => `</h1>\n${search}`);
  return frameHtml(rootOf(path), {
    title: title.replaceAll("`", ""),
    body,
    aside: contentsHtml(headings),
    markdownAt: link(path),
  });
}

/** The same page as Markdown. */
export const pageMarkdown = ({ path, markdown }: ReferencePage): string =>
  `${withLinks(markdown().replaceAll(/<!--.*?-->\n*/gs, ""), linkFrom(path, "markdown")).trimEnd()}\n`;

const rootOf = (path: string): string => "../".repeat(path.split("/").length - 2);

/** What a browser gets at an address that leads nowhere; `root`: what stands before `docs`. */
export const missingHtml = (root: string): string =>
  frameHtml(root, {
    title: "There is no such page",
    body: `<h1>There is no such page</h1>\n<p>Nothing is at this address. <a href="${root}docs">API reference</a> lists every page of the reference, <a href="${root === "" ? "./" : root}">the console</a> is at the start.</p>\n`,
    aside: "",
    markdownAt: null,
  });

const SEARCH = `<div class="search" hidden="">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false"/>
<p role="status"></p>
</div>
`;

const contentsHtml = (headings: readonly Heading[]): string => {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 2) return "";
  const items = shown.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join("\n");
  return `<nav class="contents" aria-label="On this page"><ul>\n${items}\n</ul></nav>\n`;
};

type Content = { title: string; body: string; aside: string; markdownAt: string | null };

function frameHtml(root: string, { title, body, aside, markdownAt }: Content): string {
  const alternate =
    markdownAt === null ? "" : `\n<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownAt)}.md"/>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>${escapeHtml(title)} · Waypost</title>
<link rel="icon" href="${root}console/icon.svg" type="image/svg+xml"/>${alternate}
<link rel="stylesheet" href="${root}docs/assets/reference.css"/>
<script src="${root}docs/assets/search.js" defer=""></script>
</head>
<body>
<a class="skip" href="#page">To the page</a>
<header>
<a class="name" href="${root}docs">Waypost</a>
<nav aria-label="Reference"><ul>
<li><a href="${root}docs">Reference</a></li>
<li><a href="${root}docs/errors">Errors</a></li>
<li><a href="${root}docs/events">Events</a></li>
<li><a href="${root}docs/try">Try it</a></li>
<li><a href="${root === "" ? "./" : root}">Console</a></li>
</ul></nav>
</header>
<div class="frame">
<main id="page" tabindex="-1">
${body}</main>
${aside}</div>
</body>
</html>
`;
}
