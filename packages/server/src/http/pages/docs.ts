import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { RawRoute } from "../route.ts";
import { pageAnswer, tagOf } from "./static-page.ts";

// Everything comes from here, and nothing may be called but here: the reference's bundle knows outside addresses.
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

// The ground's colours until the bundle has painted its own: nobody is blinded by a white flash in the dark.
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

// Relative, like all addresses here: the gateway may sit below a path of a proxy.
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
  showOperationId: true, // the SDK's methods are called by it
};
const START = `Scalar.createApiReference("#app", ${JSON.stringify(CONFIGURATION)});\n`;

/** The bundle changes with a release only, and is large. */
const BUNDLE_HEADERS = {
  "cache-control": "public, max-age=3600",
  "content-encoding": "gzip",
  vary: "accept-encoding",
};

type Part = { body: string | Buffer; tag: string };

/** `/openapi.json` and the reference page `/docs`, whole from this origin. */
export function docsRoutes(document: () => string): RawRoute[] {
  const file = (
    path: string,
    summary: string,
    type: string,
    make: () => string | Buffer | Promise<Buffer>,
    headers: Record<string, string> = {},
  ): RawRoute => {
    let part: Promise<Part> | null = null;
    const made = async (): Promise<Part> => {
      const body = await make();
      return { body, tag: tagOf(body) };
    };
    return {
      method: "GET",
      path,
      summary,
      maxBytes: 1,
      handle: async (request) => {
        const { body, tag } = await (part ??= made());
        return pageAnswer(request, body, tag, { "content-type": type, ...headers });
      },
    };
  };
  const script = "text/javascript; charset=utf-8";
  return [
    file("/openapi.json", "This document", "application/json; charset=utf-8", document),
    file("/docs", "Reference page", "text/html; charset=utf-8", () => PAGE, { "content-security-policy": CSP }),
    file("/docs/start.js", "Start of the reference page", script, () => START),
    file("/docs/reference.js", "Script of the reference page", script, readBundle, BUNDLE_HEADERS),
  ];
}

// 4.4 MB, a third of it packed; every browser of this decade takes gzip. Read when first asked for.
async function readBundle(): Promise<Buffer> {
  const entry = import.meta.resolve("@scalar/fastify-api-reference");
  return promisify(gzip)(await readFile(new URL("js/standalone.js", entry)));
}
