import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";

/** What `npm run build` made of `packages/simulator/web`; the same place from the sources and from their output. */
const BUILT = new URL("../../dist/web/", import.meta.url);
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };

/** A page is its script and its style; each is `/sim` and a path. */
const PAGES = [
  { path: "/sim", name: "phone", title: "Virtual phone" },
  { path: "/sim/provider", name: "provider", title: "The provider" },
] as const;
const ASSETS: readonly string[] = [...PAGES.map(({ name }) => name), "consent"].flatMap((name) => [
  `${name}.js`,
  `${name}.css`,
]);

// No text becomes a script or markup, and nothing comes from elsewhere.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** The pages for people: the virtual phone, and the provider's part. They are clients of the control API alone. */
export function registerPages(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    // The Graph has nothing at its root but an error; a browser that opens the address is a person's.
    const isPerson = request.method === "GET" && request.headers.accept?.includes("text/html") === true;
    if (isPerson && request.originalUrl === "/") void reply.redirect("/sim");
    else done();
  });
  for (const { path, name, title } of PAGES)
    app.get(path, (_request, reply) => {
      if (!existsSync(new URL(`${name}.js`, BUILT)))
        return reply.code(503).send({ error: { message: "this page was not built: run `npm run build`" } });
      const body = '<noscript>This page needs JavaScript.</noscript><div id="app"></div>';
      return asPage(reply, POLICY).send(document({ title, name, body }));
    });
  app.get<{ Params: { name: string } }>("/sim/assets/:name", async (request, reply) => {
    const { name } = request.params;
    const bytes = ASSETS.includes(name) ? await readFile(new URL(name, BUILT)).catch(() => null) : null;
    if (bytes === null) return reply.code(404).send({ error: { message: `there is no ${name}` } });
    return reply
      .type(`${TYPES[name.split(".")[1] ?? ""] ?? ""}; charset=utf-8`)
      .header("cache-control", "no-cache")
      .header("x-content-type-options", "nosniff")
      .header("cross-origin-resource-policy", "same-origin")
      .send(bytes);
  });
}

/** The headers of a page. Without its own origin as referrer a browser posts forms with the origin `null`. */
export function asPage(reply: FastifyReply, policy: string): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .header("referrer-policy", "same-origin")
    .header("x-content-type-options", "nosniff");
}

/** A whole page; `body` is markup, in which texts were escaped. */
export function document({ title, name, body }: { title: string; name: string; body: string }): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/sim/assets/${name}.css"><script type="module" src="/sim/assets/${name}.js"></script>
</head><body>${body}</body></html>
`;
}
