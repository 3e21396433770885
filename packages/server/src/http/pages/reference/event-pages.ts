import { jsonText } from "./code.ts";
import type { ApiDocument, EventKind } from "./document.ts";
import { fieldsMarkdown } from "./fields.ts";
import { table } from "./inline.ts";

/** The kinds of events, by their categories. */
export function eventsMarkdown({ events }: ApiDocument): string {
  const categories = [...new Set(events.map(({ category }) => category))];
  return [
    "# Events",
    "Every kind that an endpoint can receive. How deliveries come, are signed and are repeated: [Receiving events](/docs/guides/webhooks). Kinds and fields are only added; answer kinds that you do not know with 2xx.",
    ...categories.flatMap((category) => [
      `## ${category}`,
      table(
        ["Kind", "When"],
        events
          .filter((one) => one.category === category)
          .map(({ kind, description }) => [`[\`${kind}\`](/docs/events/${kind})`, description]),
      ),
    ]),
  ].join("\n\n");
}

/** The page of a kind. */
export function eventMarkdown(
  { kind, category, description, schema, example }: EventKind,
  document: ApiDocument,
): string {
  return [
    `# \`${kind}\``,
    description,
    `An event of the category \`${category}\`: an endpoint gets it that listens to \`${kind}\`, to \`${category}\` or to \`*\`. How it is signed and repeated: [Receiving events](/docs/guides/webhooks).`,
    "## Body",
    `\`\`\`json\n${jsonText(example)}\n\`\`\``,
    "## Fields",
    fieldsMarkdown(document, schema, "answered"),
    "All kinds: [Events](/docs/events).",
  ].join("\n\n");
}
