import type { RawRoute } from "../route.ts";
import { PAGE_HEADERS } from "./page-headers.ts";

/**
 * Where the provider's signup dialog returns to. It reads no cookie, which may not come along from there: its script passes the answer to
 * the page that opened the dialog. `base` is empty or a path without a slash at its end; `page`: the console's, whose styles it has. A code
 * stands in its address, and so it sends no `Referer`: what stands before the gateway may keep a log of these.
 */
export const returnPage = (base: string, page: string): RawRoute =>
  pageAt("/signup/return", "Return of the signup dialog", withStyles(RETURNED, base, page), {
    "referrer-policy": "no-referrer",
  });

/**
 * The page of a setup link, the same for every link: what stands behind the `#` of its address is in no request, and the page's script does
 * what it does with that alone. So opening it, as previews in chats do, changes nothing.
 */
export const linkPage = (base: string, page: string): RawRoute =>
  pageAt("/signup", "Setup link", withStyles(LINK, base, page));

function withStyles(body: string, base: string, page: string): string {
  const styles = page.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const head = styles.join("\n").replaceAll('href="./', `href="${attribute(base)}/`);
  return body.replaceAll("BASE", attribute(base)).replace("STYLES", () => head);
}

function pageAt(path: string, summary: string, body: string, more: Record<string, string> = {}): RawRoute {
  const headers = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8", "cache-control": "no-store", ...more };
  return { method: "GET", path, summary, maxBytes: 1, handle: async () => ({ status: 200, headers, body }) };
}

export const attribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

const RETURNED = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Waypost</title>
<script src="BASE/console/signup-return.js"></script>
<link rel="icon" href="BASE/console/icon.svg" type="image/svg+xml">
STYLES
<link rel="stylesheet" href="BASE/console/setup-link.css">
</head>
<body>
<main>
<h1>Back from the provider</h1>
<p>Go on in the window where you began. This one can be closed.</p>
</main>
</body>
</html>
`;

const LINK = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Connect a WhatsApp account</title>
<link rel="icon" href="BASE/console/icon.svg" type="image/svg+xml">
STYLES
<link rel="stylesheet" href="BASE/console/setup-link.css">
<script type="module" src="BASE/console/setup-link.js"></script>
</head>
<body>
<main id="page">
<noscript>This page needs scripts.</noscript>
</main>
</body>
</html>
`;
