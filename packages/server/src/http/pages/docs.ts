import { readFile } from "node:fs/promises";
import { PACKAGE_FOLDER } from "../../package-folder.ts";
import type { RawRoute } from "../route.ts";
import { EncodedText } from "./encoded-text.ts";
import { Reference } from "./reference/reference.ts";
import { type DemoKey, tryRoutes } from "./try.ts";

/** Parts of the pages, in the package's folder `reference`. */
const PARTS = [
  { name: "reference.css", type: "text/css; charset=utf-8" },
  { name: "search.js", type: "text/javascript; charset=utf-8" },
] as const;

export type DocsParts = {
  /** The API document, as JSON. */
  document: () => string;
  /** The address that people and programs reach the gateway by. */
  baseUrl: () => string;
  demoKey: DemoKey | null;
};

/** `/openapi.json`, `/llms.txt` and the reference below `/docs`, loaded from this origin alone. */
export function docsRoutes({ document, baseUrl, demoKey }: DocsParts): RawRoute[] {
  const reference = new Reference(document, baseUrl);
  const route = (path: string, summary: string, handle: RawRoute["handle"]): RawRoute => ({
    method: "GET",
    path,
    summary,
    maxBytes: 1,
    handle,
  });
  const page = (path: string, name: (params: Record<string, string | undefined>) => string): RawRoute =>
    route(path, "Page of the reference", (request) => reference.page(name(request.params), request));
  return [
    route("/openapi.json", "This document", (request) => reference.json(request)),
    route("/llms.txt", "Contents of the reference, for programs", (request) => reference.contents(request)),
    page("/docs", () => "/docs"),
    page("/docs.md", () => "/docs.md"),
    page("/docs/{page}", ({ page: name }) => `/docs/${name}`),
    page("/docs/{section}/{page}", ({ section, page: name }) => `/docs/${section}/${name}`),
    ...PARTS.map(({ name, type }) => partRoute(name, type)),
    ...tryRoutes(document, demoKey),
  ];
}

function partRoute(name: string, type: string): RawRoute {
  let loading: Promise<EncodedText> | null = null;
  const load = async () => new EncodedText(await readFile(new URL(`reference/${name}`, PACKAGE_FOLDER), "utf8"));
  return {
    method: "GET",
    path: `/docs/assets/${name}`,
    summary: "Part of the reference's pages",
    maxBytes: 1,
    handle: async (request) => await (await (loading ??= load())).answer(request, { "content-type": type }),
  };
}
