import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import type { RawAnswer } from "../route.ts";
import { rawRequest } from "../testing/raw-request.ts";
import { type Console, consoleOf } from "./console.ts";
import { readConsole } from "./console-files.ts";

// Nothing here needs the console to be built: what is served of a build is a folder of this test.
let folder: string;
let gateway: Gateway;

const SCRIPT = `console.log("${"a".repeat(2_000)}");`;
const MANIFEST = {
  "index.html": { file: "assets/main-abc.js", css: ["assets/main-abc.css"], assets: ["assets/inter-abc.woff2"] },
  "src/page.tsx": { file: "assets/page-abc.js" },
};
const READERS = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
const PAGE = `<head><meta name="waypost-base" content="/"><link rel="stylesheet" href="./assets/main-abc.css">
<script src="./console/before-paint.js"></script><script src="./assets/main-abc.js"></script></head>`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-console-"));
  for (const name of ["assets", "console", ".vite"]) await mkdir(join(folder, name));
  const files: Record<string, string | Buffer> = {
    ".vite/manifest.json": JSON.stringify(MANIFEST),
    "index.html": PAGE,
    "assets/main-abc.js": SCRIPT,
    "assets/main-abc.js.br": brotliCompressSync(SCRIPT),
    "assets/main-abc.js.gz": gzipSync(SCRIPT),
    "assets/main-abc.css": "body{}",
    "assets/page-abc.js": "//",
    "assets/inter-abc.woff2": "font",
    "assets/left-over.js": "// of no build",
    "console/before-paint.js": "//",
    "secret.txt": "not served",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const built = async (publicUrl: string | null = null): Promise<Console> =>
  consoleOf(await readConsole(folder), publicUrl);

async function answerOf(pages: Console, path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const route = pages.routes.find((one) => one.path === path);
  if (route === undefined) throw new Error(`${path} is not served`);
  return await route.handle(rawRequest({ headers }));
}

describe("of a build", () => {
  test("the files that its manifest names are served, and no others", async () => {
    const { routes } = await built();
    expect(routes.map(({ path }) => path).toSorted()).toEqual([
      "/",
      "/assets/inter-abc.woff2",
      "/assets/main-abc.css",
      "/assets/main-abc.js",
      "/assets/page-abc.js",
      "/console/before-paint.js",
      "/signup",
      "/signup/return",
    ]);
  });

  test("the page that a signup's dialog returns to is kept nowhere, and runs its script below the path of PUBLIC_URL", async () => {
    const { status, headers, body } = await answerOf(await built("https://gateway.example/way/post"), "/signup/return");
    expect([status, headers?.["cache-control"]]).toEqual([200, "no-store"]);
    expect(headers?.["content-security-policy"]).toContain("script-src 'self'");
    expect(body).toContain('src="/way/post/console/signup-return.js"');
    // A code stands in its address: no part of it is asked for with that as Referer.
    expect(headers?.["referrer-policy"]).toBe("no-referrer");
  });

  test("the page of a setup link is the same for each, kept nowhere, never framed, and has the console's styles alone", async () => {
    const { status, headers, body } = await answerOf(await built("https://gateway.example/way/post"), "/signup");
    expect([status, headers?.["cache-control"]]).toEqual([200, "no-store"]);
    expect(headers?.["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers).not.toHaveProperty("set-cookie");
    const parts = [...(body as string).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, part]) => part);
    expect(parts).toEqual([
      "/way/post/console/icon.svg",
      "/way/post/assets/main-abc.css",
      "/way/post/console/setup-link.css",
      "/way/post/console/setup-link.js",
    ]);
  });

  test("files with a digest in their name are kept for a year, others are asked for again", async () => {
    const pages = await built();
    const kept = await answerOf(pages, "/assets/main-abc.js");
    expect(kept.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
    for (const path of ["/", "/console/before-paint.js"]) {
      const answer = await answerOf(pages, path);
      expect(answer.headers).toMatchObject({ "cache-control": "no-cache" });
      const again = await answerOf(pages, path, { "if-none-match": answer.headers?.["etag"] ?? "" });
      expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: "" });
    }
  });

  test("the browser gets the smallest form that it takes", async () => {
    const pages = await built();
    const forms: Record<string, "br" | "gzip" | undefined> = {
      "gzip, deflate, br": "br",
      gzip: "gzip",
      "br;q=0, gzip": "gzip",
      "": undefined,
      identity: undefined,
    };
    const tags = new Set<string | undefined>();
    for (const [accept, encoding] of Object.entries(forms)) {
      const { headers, body } = await answerOf(pages, "/assets/main-abc.js", { "accept-encoding": accept });
      expect([accept, headers?.["content-encoding"], READERS[encoding ?? "none"](body as Buffer).toString()]).toEqual([
        accept,
        encoding,
        SCRIPT,
      ]);
      tags.add(headers?.["etag"]);
    }
    expect(tags.size).toBe(3);
    const small = await answerOf(pages, "/assets/page-abc.js", { "accept-encoding": "br" });
    expect(small.headers).not.toHaveProperty("content-encoding");
  });

  test("addresses in the page begin with the path of PUBLIC_URL", async () => {
    const here = (await built()).handle({ headers: {} }).body as Buffer;
    expect(here.toString()).toContain('src="/assets/main-abc.js"');
    expect(here.toString()).toContain('<meta name="waypost-base" content="/">');
    const below = (await built("https://example.com/way/post")).handle({ headers: {} }).body as Buffer;
    expect(below.toString()).toContain('href="/way/post/assets/main-abc.css"');
    expect(below.toString()).toContain('<meta name="waypost-base" content="/way/post/">');
  });
});

test("without a build the page says so, and the gateway runs", async () => {
  const pages = consoleOf(await readConsole(join(folder, "assets")), null);
  expect(pages.routes.map(({ path }) => path)).toEqual(["/"]);
  const { status, body } = pages.handle({ headers: {} });
  expect(status).toBe(503);
  expect((body as Buffer).toString()).toContain("npm run build");
});

const ask = (path: string, init: RequestInit = {}) => fetch(gateway.url + path, init);
const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("the page may load and run nothing but its own parts", async () => {
  const answer = await ask("/");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  const policy = answer.headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test("a browser gets the page at any address that is nothing else's", async () => {
  const page = await (await ask("/")).text();
  for (const path of ["/sign-in", "/messages", "/messages/msg_01?tab=raw", "/no/such/page", "/metrics-of-mine"]) {
    const answer = await ask(path, { headers: HTML });
    expect([path, await answer.text()]).toEqual([path, page]);
  }
  expect((await ask("/messages", { method: "HEAD", headers: HTML })).headers.get("content-type")).toMatch(/html/);
});

test("addresses of the API, and what no browser asks for, lead nowhere as before", async () => {
  for (const path of ["/v1/nothing", "/admin/v1/nothing"])
    expect((await ask(path, { headers: HTML })).status).toBe(401);
  const reserved = ["/v1", "/admin", "/docs/nothing", "/webhooks", "/console/nothing.js", "/assets/nothing.js"];
  for (const path of [...reserved, "/media/x"])
    expect([path, (await ask(path, { headers: HTML })).status]).toEqual([path, 404]);
  for (const path of ["/v25.0/123/messages", "/123456/messages", "/upload:1", "/me", "/oauth/access_token"])
    expect([path, (await ask(path, { headers: HTML })).status]).toEqual([path, 401]);
  expect((await ask("/messages")).status).toBe(404);
  expect((await ask("/messages", { method: "POST", headers: HTML })).status).toBe(401);
});

test("other methods are refused, HEAD is not", async () => {
  const post = await ask("/", { method: "POST" });
  expect({ status: post.status, allow: post.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
  expect((await ask("/", { method: "HEAD" })).headers.get("content-type")).toMatch(/html/);
});

test("the pages are not in the document", async () => {
  const { paths } = JSON.parse(await (await ask("/openapi.json")).text());
  expect(Object.keys(paths).filter((path) => path === "/" || path.startsWith("/console"))).toEqual([]);
});
