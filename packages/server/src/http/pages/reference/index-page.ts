import type { ApiDocument } from "./document.ts";
import { table } from "./inline.ts";
import { type ReferencePage, SECTIONS, type Section } from "./reference-page.ts";

/** `/docs`: every page, by what it is about. The search of the page looks through these rows. */
export function indexMarkdown({ description, tags, operations }: ApiDocument, pages: readonly ReferencePage[]): string {
  const of = (section: Section): readonly ReferencePage[] => pages.filter((page) => page.section === section);
  return [
    "# API reference",
    "Machines read [openapi.json](/openapi.json), or [llms.txt](/llms.txt) and each page as Markdown, by `.md` behind its address. Calls can be made from [Try it](/docs/try).",
    "## For all calls",
    description,
    "## Guides",
    table(
      ["Guide", ""],
      of("Guides").map(({ path, title, summary }) => [`[${title}](${path})`, summary]),
    ),
    ...tags.flatMap(({ name, description }) => [
      `## ${name}`,
      description,
      table(
        ["Call", "", "Scope"],
        operations
          .filter(({ tag }) => tag === name)
          .map(({ id, method, path, summary, scopes }) => [
            `[\`${method} ${path}\`](/docs/${id})`,
            `${summary} (\`${id}\`)`,
            scopes.map((scope) => `\`${scope}\``).join(" "),
          ]),
      ),
    ]),
    "## Events",
    table(["Kind", "When"], of("Events").map(rowOf)),
    "## Errors",
    table(["Code", "Meaning"], of("Errors").map(rowOf)),
    "## Schemas",
    of("Schemas")
      .map(({ path, title }) => `- [${title}](${path})`)
      .join("\n"),
  ].join("\n\n");
}

const rowOf = ({ path, title, summary }: ReferencePage): string[] => [`[${title}](${path})`, summary];

/** Every page with its sentence, as `llms.txt` has it. */
export function contentsMarkdown(pages: readonly ReferencePage[], root: string): string {
  const line = ({ path, title, summary }: ReferencePage): string => {
    const about = summary.replaceAll(/\s+/g, " ").trim();
    return `- [${title.replaceAll("`", "")}](${root}${path.slice(1)}.md)${about === "" ? "" : `: ${about}`}`;
  };
  return `# Waypost

> Self-hosted, multi-tenant gateway to the WhatsApp Business Platform: programs send templates and replies over REST and get signed webhooks.

The whole API for machines: [openapi.json](${root}openapi.json). Authenticate with \`Authorization: Bearer <API key>\`.

${SECTIONS.map(
  (section) =>
    `## ${section}\n\n${pages
      .filter((page) => page.section === section)
      .map(line)
      .join("\n")}`,
).join("\n\n")}
`;
}
