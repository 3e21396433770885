import { readFile } from "node:fs/promises";
import { simulatorUrl } from "../../lib/simulator-url.ts";
import type { RawRoute } from "../route.ts";
import { pageRoute } from "./docs.ts";

/** What the first page may know without a key. */
export type ConsoleFacts = { version: string; providerBaseUrl: string };

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const FILES = [
  { path: "/", file: "index.html", type: "text/html; charset=utf-8" },
  { path: "/console/console.css", file: "console.css", type: "text/css; charset=utf-8" },
  { path: "/console/console.js", file: "console.js", type: "text/javascript; charset=utf-8" },
  { path: "/console/icon.svg", file: "icon.svg", type: "image/svg+xml" },
];

/** The page at `/` with its parts, loaded from this origin alone. Rejects when the console package is missing. */
export async function consoleRoutes(facts: ConsoleFacts): Promise<RawRoute[]> {
  const files = await Promise.all(
    FILES.map(async ({ path, file, type }) => {
      const body = await readFile(new URL(import.meta.resolve(`@waypost/console/src/${file}`)));
      return partRoute(path, type, body);
    }),
  );
  const known = JSON.stringify({ version: facts.version, simulator_url: simulatorUrl(facts.providerBaseUrl) });
  return [...files, partRoute("/console/facts.json", "application/json; charset=utf-8", known)];
}

const partRoute = (path: string, type: string, body: string | Buffer): RawRoute =>
  pageRoute({
    path,
    summary: "Part of the first page",
    headers: {
      "content-type": type,
      "content-security-policy": CSP,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    },
    load: () => body,
  });
