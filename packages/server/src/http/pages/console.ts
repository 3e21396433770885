import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isKnownTag } from "../known-tag.ts";
import type { RawAnswer, RawRequest, RawRoute } from "../route.ts";
import { OPEN, type Surface } from "../surface.ts";
import { type BuiltConsole, bestOf, type ConsoleFile, readConsole } from "./console-files.ts";
import { etagOfBytes } from "./page.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { attribute, linkPage, returnPage } from "./signup-pages.ts";

/** The console's pages and their parts, all from this origin: what else the browser finds in them it neither loads nor runs. */
export type Console = {
  /** `/`, and a route for each part. */
  routes: readonly RawRoute[];
  /** Whether a request that no route takes is for a page of the console, which finds the page by its address. */
  claims(request: { method: string; url: string; surface: Surface; accept: string | undefined }): boolean;
  /** The page. */
  handle(request: Pick<RawRequest, "headers">): RawAnswer;
};

/** First parts of paths that are never pages: the API, the provider's API, and what stands at fixed addresses. */
const RESERVED =
  /^\/(?:v1|admin|docs|openapi\.json|healthz|readyz|metrics|webhooks|console|assets|oauth|me|media|signup|llms\.txt|v\d+\.\d+|\d[^/]*|upload:[^/]*)(?:\/|$)/;

/** Opens the console of the installed package; `publicUrl` is PUBLIC_URL, whose path stands before each address. */
export async function openConsole(publicUrl: string | null): Promise<Console> {
  return consoleOf(await readInstalled(), publicUrl);
}

let installed: Promise<BuiltConsole | null> | null = null;
/** Once a process: the console does not change under it. */
function readInstalled(): Promise<BuiltConsole | null> {
  const folder = dirname(fileURLToPath(import.meta.resolve("@waypost/console/package.json")));
  installed ??= readConsole(join(folder, "dist"));
  return installed;
}

/** The console of a build; null for none: then its page says how to build it. */
export function consoleOf(built: BuiltConsole | null, publicUrl: string | null): Console {
  const base = publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
  const body = Buffer.from(built === null ? NOT_BUILT : withBase(built.page, base));
  const etag = etagOfBytes(body);
  const handle: Console["handle"] = (request) => {
    const headers = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8", "cache-control": "no-cache", etag };
    if (built === null) return { status: 503, headers, body };
    return isKnownTag(request.headers["if-none-match"], etag)
      ? { status: 304, headers, body: "" }
      : { status: 200, headers, body };
  };
  const common = { method: "GET", maxBytes: 1 } as const;
  const page = { ...common, path: "/", summary: "Console", handle: async (request: RawRequest) => handle(request) };
  const parts = (built?.files ?? []).map((file) => ({
    ...common,
    path: file.path,
    summary: "Part of the console",
    handle: async (request: RawRequest) => partAnswer(file, request),
  }));
  const others = built === null ? [] : [returnPage(base, built.page), linkPage(base, built.page), ...parts];
  return { routes: [page, ...others], claims, handle };
}

const claims: Console["claims"] = ({ method, url, surface, accept = "" }) =>
  (method === "GET" || method === "HEAD") &&
  surface === OPEN &&
  accept.includes("text/html") &&
  !RESERVED.test(url.split("?", 1)[0] ?? "");

/** The page with absolute addresses, as it is served for paths of any depth; `base` is empty or a path without a slash at its end. */
const withBase = (page: string, base: string): string =>
  page
    .replaceAll(/(\s(?:href|src)=")\.\//g, `$1${attribute(base)}/`)
    .replace(/(<meta name="waypost-base" content=")[^"]*/, `$1${attribute(base)}/`);

function partAnswer(file: ConsoleFile, request: RawRequest): RawAnswer {
  const { body, etag, encoding } = bestOf(file, String(request.headers["accept-encoding"] ?? ""));
  const headers = {
    ...PAGE_HEADERS,
    "content-type": file.type,
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    etag,
    ...(encoding === null ? {} : { "content-encoding": encoding }),
  };
  return isKnownTag(request.headers["if-none-match"], etag)
    ? { status: 304, headers, body: "" }
    : { status: 200, headers, body };
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Waypost</title>
</head>
<body>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> in Waypost's folder, then start the gateway again. The API works without it.</p>
</body>
</html>
`;
