import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { RawHead, RawRoute } from "../route.ts";
import { pageRoute } from "./page.ts";
import { SCHEME, tryDocument } from "./try-document.ts";

// Everything is loaded from this origin and nothing else may be called: the library knows outside addresses.
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the library writes its styles into the page
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// The style is the page's background until the library loads, so that dark mode does not flash white.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Try it · Waypost</title>
<link rel="icon" href="../console/icon.svg" type="image/svg+xml">
<style>
body { margin: 0; background: #fff; font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { body { background: #0f0f0f; } }
noscript { display: block; padding: 1rem; }
</style>
<script src="try/library.js" defer></script>
<script src="try/start.js" defer></script>
</head>
<body>
<noscript>Calls are made by a script. <a href="../docs">The reference</a> needs none.</noscript>
<div id="app"></div>
</body>
</html>
`;

// Relative, like all addresses here: the gateway may be mounted below a path of a proxy.
const CONFIGURATION = {
  url: "try/openapi.json",
  proxyUrl: "",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideModels: true,
  showDeveloperTools: "never",
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "none",
  showOperationId: true, // the SDK's methods have these names
};
/** It asks for the demo key first, which only a gateway of `npm start` has. */
const START = `(async () => {
  const answer = await fetch("try/key");
  const { key } = answer.ok ? await answer.json() : { key: null };
  const schemes = key === null ? {} : { ${SCHEME}: { token: key } };
  const authentication = { preferredSecurityScheme: "${SCHEME}", securitySchemes: schemes };
  Scalar.createApiReference("#app", { ...${JSON.stringify(CONFIGURATION)}, authentication });
})();
`;

/** The library changes with a release only, and is large. */
const LIBRARY_HEADERS = {
  "cache-control": "public, max-age=3600",
  "content-encoding": "gzip",
  vary: "accept-encoding",
};

/** Reads the API key of the demo workspace; null where there is none. */
export type DemoKey = () => Promise<string | null>;

/** "Try it": the page from which calls are made, with the document as its library takes it. `demoKey`: of `npm start` alone. */
export function tryRoutes(document: () => string, demoKey: DemoKey | null): RawRoute[] {
  const html = { "content-type": "text/html; charset=utf-8", "content-security-policy": CSP };
  const script = { "content-type": "text/javascript; charset=utf-8" };
  const json = { "content-type": "application/json; charset=utf-8" };
  const summary = "Part of the page that makes calls";
  return [
    pageRoute({ path: "/docs/try", summary: "Page that makes calls", headers: html, load: () => PAGE }),
    pageRoute({ path: "/docs/try/start.js", summary, headers: script, load: () => START }),
    pageRoute({ path: "/docs/try/openapi.json", summary, headers: json, load: () => tryDocument(document()) }),
    pageRoute({ path: "/docs/try/library.js", summary, headers: { ...script, ...LIBRARY_HEADERS }, load: readLibrary }),
    {
      method: "GET",
      path: "/docs/try/key",
      summary,
      maxBytes: 1,
      handle: async (request) => ({
        status: 200,
        headers: { ...json, "cache-control": "no-store", "cross-origin-resource-policy": "same-origin" },
        body: `${JSON.stringify({ key: demoKey !== null && isFromOwnPage(request) ? await demoKey() : null })}\n`,
      }),
    },
  ];
}

/**
 * The key is for the page of this machine alone: not for pages of other origins, nor for one whose name was made to lead here, nor for who
 * comes through a proxy.
 */
function isFromOwnPage({ headers }: RawHead): boolean {
  const { host, "sec-fetch-site": site, "x-forwarded-for": forwarded, forwarded: also } = headers;
  return site === "same-origin" && forwarded === undefined && also === undefined && isLoopback(hostName(host));
}

const hostName = (host: string | string[] | undefined): string => String(host ?? "").replace(/:\d+$/, "");

/** Whether a name or an address is this machine itself. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

// A third of it compressed; every browser of this decade takes gzip. Read at the first request for it.
async function readLibrary(): Promise<Buffer> {
  const entry = import.meta.resolve("@scalar/fastify-api-reference");
  return promisify(gzip)(await readFile(new URL("js/standalone.js", entry)));
}
