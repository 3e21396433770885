import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { RawAnswer, RawRoute } from "./route.ts";

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

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waypost API reference</title>
</head>
<body>
<div id="app"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const CONFIGURATION = {
  url: "/openapi.json",
  proxyUrl: "",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
};
const START = `Scalar.createApiReference("#app", ${JSON.stringify(CONFIGURATION)});\n`;

/** Pages and the bundle change with a release only. */
const CACHED = "public, max-age=3600";

/** `/openapi.json` and the reference page `/docs`, whole from this origin. */
export function docsRoutes(document: () => string): RawRoute[] {
  let bundle: Promise<Buffer> | null = null;
  let text: string | null = null;
  const file = (
    path: string,
    summary: string,
    type: string,
    body: () => string | Buffer | Promise<Buffer>,
    headers: Record<string, string> = {},
  ): RawRoute => ({
    method: "GET",
    path,
    summary,
    undocumented: true,
    maxBytes: 1,
    handle: async (): Promise<RawAnswer> => ({
      status: 200,
      headers: { "content-type": type, "cache-control": CACHED, ...headers },
      body: await body(),
    }),
  });
  return [
    file("/openapi.json", "This document", "application/json; charset=utf-8", () => (text ??= document())),
    file("/docs", "Reference page", "text/html; charset=utf-8", () => PAGE, {
      "content-security-policy": CSP,
      "referrer-policy": "no-referrer",
    }),
    file("/docs/start.js", "Start of the reference page", "text/javascript; charset=utf-8", () => START),
    file(
      "/docs/reference.js",
      "Script of the reference page",
      "text/javascript; charset=utf-8",
      () => (bundle ??= readBundle()),
      {
        "content-encoding": "gzip",
        vary: "accept-encoding",
      },
    ),
  ];
}

// 4.4 MB, a third of it packed; every browser of this decade takes gzip. Read when first asked for.
async function readBundle(): Promise<Buffer> {
  const entry = import.meta.resolve("@scalar/fastify-api-reference");
  return promisify(gzip)(await readFile(new URL("js/standalone.js", entry)));
}
