import { readFile } from "node:fs/promises";
import type { RawRoute } from "../route.ts";
import { pageAnswer, tagOf } from "./static-page.ts";

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

/** The page at `/` with its parts, whole from this origin. Rejects when the console package is not there. */
export async function consoleRoutes(facts: ConsoleFacts): Promise<RawRoute[]> {
  const files = await Promise.all(
    FILES.map(async ({ path, file, type }) => {
      const body = await readFile(new URL(import.meta.resolve(`@waypost/console/src/${file}`)));
      return page(path, type, body);
    }),
  );
  const known = JSON.stringify({ version: facts.version, simulator_url: simulatorUrl(facts.providerBaseUrl) });
  return [...files, page("/console/facts.json", "application/json; charset=utf-8", Buffer.from(known))];
}

// A provider on this very machine is the simulator of `npm start`; the real one never is, and is told to nobody here.
function simulatorUrl(providerBaseUrl: string): string | null {
  const { hostname, origin } = new URL(providerBaseUrl);
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? `${origin}/sim` : null;
}

function page(path: string, type: string, body: Buffer): RawRoute {
  const tag = tagOf(body);
  const headers = {
    "content-type": type,
    "content-security-policy": CSP,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  return {
    method: "GET",
    path,
    summary: "Part of the first page",
    maxBytes: 1,
    handle: (request) => Promise.resolve(pageAnswer(request, body, tag, headers)),
  };
}
