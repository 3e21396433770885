import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { RawRoute } from "../route.ts";
import { pageRoute } from "./page.ts";

// Everything is loaded from this origin and nothing else may be called: the reference's bundle knows outside addresses.
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the bundle writes its styles into the page
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// The style is the page's background until the bundle loads, so that dark mode does not flash white.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Waypost API reference</title>
<link rel="icon" href="console/icon.svg" type="image/svg+xml">
<style>
body { margin: 0; background: #fff; font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { body { background: #0f0f0f; } }
noscript { display: block; padding: 1rem; }
</style>
</head>
<body>
<noscript>This page needs scripts. <a href="openapi.json">openapi.json</a> is what it shows.</noscript>
<div id="app"></div>
<script src="docs/reference.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// Relative, like all addresses here: the gateway may be mounted below a path of a proxy.
const CONFIGURATION = {
  url: "openapi.json",
  proxyUrl: "",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "json",
  showOperationId: true, // the SDK's methods have these names
};
const START = `Scalar.createApiReference("#app", ${JSON.stringify(CONFIGURATION)});\n`;

/** The bundle changes with a release only, and is large. */
const BUNDLE_HEADERS = {
  "cache-control": "public, max-age=3600",
  "content-encoding": "gzip",
  vary: "accept-encoding",
};

/** `/openapi.json` and the reference page `/docs`, loaded from this origin alone. */
export function docsRoutes(document: () => string): RawRoute[] {
  const html = { "content-type": "text/html; charset=utf-8", "content-security-policy": CSP };
  const script = { "content-type": "text/javascript; charset=utf-8" };
  const json = { "content-type": "application/json; charset=utf-8" };
  return [
    pageRoute({ path: "/openapi.json", summary: "This document", headers: json, load: document }),
    pageRoute({ path: "/docs", summary: "Reference page", headers: html, load: () => PAGE }),
    pageRoute({ path: "/docs/start.js", summary: "Start of the reference page", headers: script, load: () => START }),
    pageRoute({
      path: "/docs/reference.js",
      summary: "Script of the reference page",
      headers: { ...script, ...BUNDLE_HEADERS },
      load: readBundle,
    }),
  ];
}

// 4.4 MB, a third of it compressed; every browser of this decade takes gzip. Read at the first request for it.
async function readBundle(): Promise<Buffer> {
  const entry = import.meta.resolve("@scalar/fastify-api-reference");
  return promisify(gzip)(await readFile(new URL("js/standalone.js", entry)));
}
