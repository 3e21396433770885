import { ALL_CODES, messageErrorOf, requestErrorOf } from "./catalogues.ts";
import type { Where } from "./code.ts";
import type { ApiDocument } from "./document.ts";
import { errorMarkdown, errorsMarkdown } from "./error-pages.ts";
import { eventMarkdown, eventsMarkdown } from "./event-pages.ts";
import { GUIDES, type Guide } from "./guides.ts";
import { contentsMarkdown, indexMarkdown } from "./index-page.ts";
import type { Link } from "./inline.ts";
import { operationMarkdown } from "./operation-page.ts";
import type { ReferencePage, Section } from "./reference-page.ts";
import { schemaMarkdown } from "./schema-page.ts";

/** What the pages are made from. */
export type Sources = { document: ApiDocument; guides: readonly Guide[] } & Where;

/** Every page of the reference by its path, but the index, which has the path `/docs`. */
export class Site {
  readonly pages: ReadonlyMap<string, ReferencePage>;
  readonly index: ReferencePage;

  constructor(sources: Sources) {
    const { document, guides } = sources;
    const all: ReferencePage[] = [
      ...guides.map(({ name, title, summary, text }) => page(`guides/${name}`, title, summary, "Guides", () => text)),
      ...document.operations.map((one) =>
        page(one.id, one.summary, `\`${one.method} ${one.path}\``, "Operations", () => operationMarkdown(one, sources)),
      ),
      page("events", "Events", "Every kind of event that an endpoint can receive", "Events", () =>
        eventsMarkdown(document),
      ),
      ...document.events.map((one) =>
        page(`events/${one.kind}`, `\`${one.kind}\``, one.description, "Events", () => eventMarkdown(one, document)),
      ),
      page("errors", "Errors", "All codes, and what to do about each", "Errors", () =>
        errorsMarkdown((code) => `[\`${code}\`](/docs/errors/${code})`),
      ),
      ...ALL_CODES.map((code) =>
        page(`errors/${code}`, `\`${code}\``, titleOf(code), "Errors", () => errorMarkdown(code, document)),
      ),
      ...Object.entries(document.schemas).map(([name, schema]) =>
        page(`schemas/${name}`, `\`${name}\``, schema.description ?? "", "Schemas", () =>
          schemaMarkdown(name, document),
        ),
      ),
    ];
    this.pages = new Map(all.map((one) => [one.path, one]));
    this.index = {
      ...page("", "API reference", "Every page of the reference", "Guides", () => indexMarkdown(document, all)),
      path: "/docs",
    };
  }

  /** `/llms.txt`: what there is, for programs that read; links lead to Markdown. `root`: what stands before `docs/`. */
  contents(root: string): string {
    return contentsMarkdown([...this.pages.values()], root);
  }
}

const page = (
  name: string,
  title: string,
  summary: string,
  section: Section,
  markdown: () => string,
): ReferencePage => ({ path: `/docs/${name}`, title, summary, section, markdown });

const titleOf = (code: string): string => (requestErrorOf(code) ?? messageErrorOf(code))?.title ?? "";

/**
 * Where the links of a page lead: within the reference relative to the page, because the gateway may be mounted below a path of a proxy.
 * The project's own pages name each other as files; what is not served is no link.
 */
export function linkFrom(path: string, form: "html" | "markdown"): Link {
  const root = "../".repeat(path.split("/").length - 2);
  return (target) => {
    if (/^(?:https?:|#)/.test(target)) return target;
    const leadsTo = target.startsWith("/") ? target : servedPath(target);
    if (leadsTo === null) return null;
    const [file = "", part] = leadsTo.split("#");
    const isPage = /^\/docs(?:\/|$)/.test(file) && file !== "/docs/try";
    const ending = isPage && form === "markdown" ? ".md" : "";
    return `${root}${file.slice(1)}${ending}${part === undefined ? "" : `#${part}`}`;
  };
}

/** The page of a file of `docs`, as the files beside it name it. */
function servedPath(target: string): string | null {
  const [, name, part = ""] = /^(?:\.\/)?([\w-]+)\.md(#[\w-]+)?$/.exec(target) ?? [];
  if (name === "webhook-events") return part === "" ? "/docs/events" : `/docs/events/${part.slice(1)}`;
  if (name === "errors") return "/docs/errors";
  return name !== undefined && GUIDES.includes(name) ? `/docs/guides/${name}${part}` : null;
}
