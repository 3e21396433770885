import { LRUCache } from "lru-cache";
import { notFound } from "../../problem.ts";
import type { RawAnswer, RawHead } from "../../route.ts";
import { EncodedText } from "../encoded-text.ts";
import { ApiDocument } from "./document.ts";
import { readGuides } from "./guides.ts";
import { pageHtml, pageMarkdown } from "./layout.ts";
import { Site } from "./site.ts";

/** What is loaded is of this origin, nothing else is called, and no text becomes markup or a script. */
export const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** Rendered pages that are kept: a walk over all of them, as search engines make, is not. Making one takes a millisecond or two. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

const HTML = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": CSP,
  vary: "accept, accept-encoding",
};
const MARKDOWN = { "content-type": "text/markdown; charset=utf-8", vary: "accept, accept-encoding" };
const TEXT = { "content-type": "text/plain; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** The pages of the reference, which are made when they are asked for. `document` is the API document as JSON, `baseUrl` the outside address. */
export class Reference {
  readonly #document: () => string;
  readonly #baseUrl: () => string;
  readonly #texts = new LRUCache<string, EncodedText>({
    maxSize: MOST_KEPT_BYTES,
    sizeCalculation: ({ mostBytes }) => mostBytes,
  });
  #text: EncodedText | null = null;
  #site: Promise<Site> | null = null;

  constructor(document: () => string, baseUrl: () => string) {
    this.#document = document;
    this.#baseUrl = baseUrl;
  }

  /** `/openapi.json`. */
  async json(request: RawHead): Promise<RawAnswer> {
    this.#text ??= new EncodedText(`${this.#document()}\n`);
    return await this.#text.answer(request, JSON_TYPE);
  }

  /** A page by its path, `/docs/messages.send`; as Markdown behind `.md`, and where `Accept` names that. Throws 404. */
  async page(path: string, request: RawHead): Promise<RawAnswer> {
    const site = await this.#built();
    const name = path.replace(/\.md$/, "");
    const page = name === site.index.path ? site.index : site.pages.get(name);
    if (page === undefined) throw notFound();
    const isMarkdown = name !== path || takesMarkdown(request.headers);
    return isMarkdown
      ? await this.#kept(`${name}.md`, () => pageMarkdown(page)).answer(request, MARKDOWN)
      : await this.#kept(name, () => pageHtml(page, page === site.index)).answer(request, HTML);
  }

  /** `/llms.txt`. */
  async contents(request: RawHead): Promise<RawAnswer> {
    const site = await this.#built();
    return await this.#kept("/llms.txt", () => site.contents("")).answer(request, TEXT);
  }

  #kept(name: string, render: () => string): EncodedText {
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const made = new EncodedText(render());
    this.#texts.set(name, made);
    return made;
  }

  async #built(): Promise<Site> {
    this.#site ??= this.#build();
    try {
      return await this.#site;
    } catch (error) {
      this.#site = null; // a file could not be read just now
      throw error;
    }
  }

  async #build(): Promise<Site> {
    const guides = await readGuides();
    // What it parses is plain data, as every reader of the document has it.
    const document = new ApiDocument(JSON.parse(this.#document()) as object);
    return new Site({ document, guides, baseUrl: this.#baseUrl() });
  }
}

/** Browsers do not ask for it; programs that read pages do. */
const takesMarkdown = ({ accept }: RawHead["headers"]): boolean =>
  String(accept ?? "")
    .toLowerCase()
    .split(",")
    .some((one) => /^\s*text\/markdown\s*(?:;|$)/.test(one) && !/;\s*q=0(?:\.0*)?\s*$/.test(one));
