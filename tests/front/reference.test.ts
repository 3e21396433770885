import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROBLEMS } from "../../packages/server/src/http/problem.ts";
import { MESSAGE_ERRORS } from "../../packages/server/src/provider/message-errors.ts";
import { type Gateway, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { wholeDocument } from "../../packages/server/src/testing/whole-document.ts";
import { type ApiDocument, type Operation, operationsOf } from "./operations.ts";
import { elementsOf } from "./well-formed.ts";

// The pages of the reference as a browser without scripts, and a program that reads, have them.
let gateway: Gateway;
let operations: Operation[];
/** Every page that there must be, from the document and the catalogues. */
let expected: string[];
const pages = new Map<string, string>();
const CODES = [...new Set([...Object.keys(PROBLEMS), ...Object.keys(MESSAGE_ERRORS)])];

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { headers: { accept: "text/html,*/*;q=0.8", ...headers } });

beforeAll(async () => {
  gateway = await startGateway();
  const document = (await (await get("/openapi.json")).json()) as ApiDocument & { webhooks: Record<string, object> };
  operations = operationsOf(wholeDocument(document));
  expected = [
    ...operations.map(({ operationId }) => `/docs/${operationId}`),
    ...Object.keys(document.webhooks).map((kind) => `/docs/events/${kind}`),
    ...CODES.map((code) => `/docs/errors/${code}`),
    ...Object.keys(document.components.schemas).map((name) => `/docs/schemas/${name}`),
    "/docs/errors",
    "/docs/events",
  ];
  const waiting = ["/docs", ...expected];
  const fetchNext = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/html; charset=utf-8",
      ]);
      pages.set(path, await answer.text());
    }
  };
  await Promise.all(Array.from({ length: 8 }, fetchNext));
});
afterAll(() => gateway.stop());

const linksOf = (html: string): string[] =>
  elementsOf(html).flatMap(({ name, attributes }) => (name === "a" ? [attributes["href"] ?? ""] : []));
const idsOf = (html: string): Set<string> =>
  new Set(elementsOf(html).flatMap(({ attributes }) => attributes["id"] ?? []));

it("names every operation, kind of event, error and schema, in its index and for programs", async () => {
  const listed = new Set(linksOf(pages.get("/docs") ?? "").map((href) => `/${href}`));
  const text = await (await get("/llms.txt")).text();
  const named = new Set([...text.matchAll(/\]\((docs\/[^)]+)\.md\)/g)].map(([, path]) => `/${path}`));
  expect(expected.filter((path) => !listed.has(path))).toEqual([]);
  expect(expected.filter((path) => !named.has(path))).toEqual([]);
  expect(operations.length).toBeGreaterThan(100);
});

describe("each page", () => {
  it("is well-formed, has one heading of the first level, and nothing that is no text", () => {
    for (const [path, html] of pages) {
      const elements = elementsOf(html);
      expect([path, elements.filter(({ name }) => name === "h1").length]).toEqual([path, 1]);
      const ids = elements.flatMap(({ attributes }) => attributes["id"] ?? []);
      expect([path, ids.length]).toEqual([path, new Set(ids).size]);
      expect([path, /undefined|\[object|\bNaN\b|]\(\//.exec(html)]).toEqual([path, null]);
    }
  });

  it("leads only to what is there, also below a path of a proxy", async () => {
    const guides = new Set<string>();
    const found = new Map<string, string>(pages);
    const open = async (path: string): Promise<string | null> => {
      const answer = found.has(path) ? null : await get(path);
      if (answer !== null) found.set(path, answer.status === 200 ? await answer.text() : "");
      return found.get(path) ?? null;
    };
    const broken: string[][] = [];
    const look = async (path: string, html: string): Promise<void> => {
      for (const href of new Set(linksOf(html))) {
        if (href.startsWith("https://")) continue;
        // Relative: what stands before the gateway's own path stays.
        if (href.startsWith("/") || href.startsWith("http:")) broken.push([path, href]);
        const { pathname, hash } = new URL(href, gateway.url + path);
        const target = await open(pathname);
        const isThere =
          target !== "" &&
          target !== null &&
          (hash === "" || pathname === "/docs/try" || idsOf(target).has(hash.slice(1)));
        if (!isThere && pathname !== "/") broken.push([path, href]);
        if (pathname.startsWith("/docs/guides/")) guides.add(pathname);
      }
    };
    for (const [path, html] of pages) await look(path, html);
    for (const path of guides) await look(path, found.get(path) ?? "");
    expect(broken).toEqual([]);
    expect(guides.size).toBeGreaterThan(6);
  });

  it("of an operation has its call, scope, parameters, errors with remedies, and an example in each language", () => {
    for (const { operationId, method, path, security, parameters = [], responses } of operations) {
      const html = pages.get(`/docs/${operationId}`) ?? "";
      const text = textOf(html);
      const codes = Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.["application/problem+json"]?.examples ?? {}),
      );
      const wanted = [
        path,
        operationId,
        ...security.flatMap((one) => Object.values(one).flat()),
        ...parameters.map(({ name }) => name),
        ...codes.flatMap((code) => [code, plain(PROBLEMS[code as keyof typeof PROBLEMS].remedy)]),
        `curl `,
        ...(security.length > 0 ? [`${operationId}(`] : []),
      ];
      expect([operationId, wanted.filter((one) => !text.includes(one))]).toEqual([operationId, []]);
      expect([operationId, html.includes(`<b class="${method.toLowerCase()}">${method}</b> ${path}`)]).toEqual([
        operationId,
        true,
      ]);
    }
  });

  it("is there as Markdown, whose links lead to Markdown", async () => {
    for (const path of ["/docs", "/docs/messages.send", "/docs/errors/window_closed", "/docs/guides/webhooks"]) {
      const answer = await get(`${path}.md`);
      const text = await answer.text();
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/markdown; charset=utf-8",
      ]);
      expect(text).toMatch(/^# /);
      const asked = await get(path, { accept: "text/markdown, text/html;q=0.9" });
      expect([path, await asked.text()]).toEqual([path, text]);
      const inner = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
      for (const target of new Set(inner.slice(0, 12))) {
        const { pathname } = new URL(target, gateway.url + path);
        expect([path, target, (await get(pathname)).status]).toEqual([path, target, 200]);
        expect(pathname).toMatch(/\.md$|^\/docs\/try$|^\/openapi\.json$|^\/llms\.txt$/);
      }
    }
  });
});

describe("what is sent", () => {
  it.each([
    ["/openapi.json", 0.15],
    ["/docs", 0.3],
    ["/docs/messages.send", 0.3],
    ["/llms.txt", 0.4],
  ])("of %s is compressed for who takes that, and not sent again to who has it", async (path, share) => {
    const plain = await bytesOf(path, "identity");
    expect(plain.encoding).toBeUndefined();
    expect(plain.body.at(-1)).toBe(10);
    for (const [encoding, read] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const sent = await bytesOf(path, encoding);
      expect([sent.encoding, sent.vary]).toEqual([encoding, expect.stringContaining("accept-encoding")]);
      expect(read(sent.body).equals(plain.body)).toBe(true);
      expect(sent.body.length).toBeLessThan(plain.body.length * share);
      expect(sent.length).toBe(String(sent.body.length));
      const again = await bytesOf(path, encoding, { "if-none-match": sent.etag ?? "" });
      expect([again.status, again.body.length, again.etag]).toEqual([304, 0, sent.etag]);
      expect(sent.etag).not.toBe(plain.etag);
    }
    expect((await bytesOf(path, "br;q=0")).encoding).toBeUndefined();
  });

  it("loads and calls nothing from elsewhere, and runs no script of its own but the search", async () => {
    const { headers } = await get("/docs");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    for (const [path, html] of pages) {
      const loaded = elementsOf(html).flatMap(({ name, attributes }) =>
        name === "script"
          ? [attributes["src"]]
          : name === "link" && attributes["rel"] === "stylesheet"
            ? [attributes["href"]]
            : [],
      );
      expect([path, loaded.map((one) => one?.replaceAll("../", ""))]).toEqual([
        path,
        ["docs/assets/reference.css", "docs/assets/search.js"],
      ]);
    }
    for (const name of ["reference.css", "search.js"]) expect((await get(`/docs/assets/${name}`)).status).toBe(200);
  });
});

describe("an address that leads nowhere", () => {
  it.each(["/docs/messages.fly", "/docs/errors/none", "/docs/a/b/c", "/llms.txt/x", "/healthz/x"])(
    "%s",
    async (path) => {
      const page = await get(path);
      const html = await page.text();
      expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      const [first] = linksOf(html).filter((href) => href.endsWith("docs"));
      expect(new URL(first ?? "", gateway.url + path).pathname).toBe("/docs");
      const problem = await get(path, { accept: "*/*" });
      expect([problem.status, problem.headers.get("content-type")]).toEqual([
        404,
        "application/problem+json; charset=utf-8",
      ]);
    },
  );

  it("of the API is a problem to whoever asks", async () => {
    const answer = await get("/v1/nothing", { authorization: `Bearer ${(await gateway.workspace()).key}` });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json; charset=utf-8",
    ]);
  });
});

type Sent = { status: number; body: Buffer } & Record<"encoding" | "vary" | "etag" | "length", string | undefined>;

/** As they are sent: `fetch` would read them. */
async function bytesOf(path: string, encoding: string, more: Record<string, string> = {}): Promise<Sent> {
  return await new Promise((resolve, reject) => {
    const asked = request(gateway.url + path, { headers: { "accept-encoding": encoding, ...more } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const { "content-encoding": written, vary, etag, "content-length": length } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts),
          encoding: written,
          vary,
          etag,
          length,
        });
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

const plain = (markdown: string): string => markdown.replaceAll("`", "");
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

it("is where the type of an error leads, from wherever it is said", async () => {
  const mine = await gateway.sender();
  const to = "+15551230061";
  const text = { to, type: "text", text: { body: "Hi" } };
  const refused = await mine.call("POST", "/v1/messages", { body: text });
  const batch = await mine.call("POST", "/v1/messages/batch", { body: { messages: [text] } });
  const checked = await mine.call("POST", "/v1/messages/validate", { body: text });
  const types = [refused.body.type, batch.body.data[0].error.type, checked.body.problems[0].type];
  expect(types).toEqual(types.map(() => "/docs/errors/window_closed"));
  expect((await get(types[0])).status).toBe(200);
});
