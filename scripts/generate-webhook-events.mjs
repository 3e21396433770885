/** docs/webhook-events.md: each kind of event with a body, from `webhooks` of the document. */
export function webhookEventsPage({ webhooks }) {
  const kinds = Object.entries(webhooks).map(([kind, { post }]) => ({
    kind,
    means: post.description,
    ...contentOf(post),
  }));
  const categories = [...new Set(kinds.map(({ example }) => example.category))];
  return `<!-- Made by \`npm run generate\` from \`webhooks\` of openapi.json. Do not edit. -->

# Kinds of events

Every kind that an endpoint can receive, with a body. How deliveries come, are signed and are repeated: [webhooks.md](webhooks.md). Kinds
and fields are only added; answer kinds that you do not know with 2xx.

${categories
  .map((category) =>
    sectionOf(
      category,
      kinds.filter(({ example }) => example.category === category),
    ),
  )
  .join("\n\n")}
`;
}

const contentOf = ({ requestBody }) => ({ example: requestBody.content["application/json"].example });

const sectionOf = (category, kinds) => `## ${category}

| Kind | |
| --- | --- |
${kinds.map(({ kind, means }) => `| [\`${kind}\`](#${kind}) | ${means} |`).join("\n")}

${kinds.map(({ kind, example }) => `### ${kind}\n\n\`\`\`json\n${jsonOf(example)}\n\`\`\``).join("\n\n")}`;

/** What is longer is written over several lines. */
const LONGEST_LINE = 110;

/** JSON that a person can look over: what fits a line is on one. */
function jsonOf(value, indent = "") {
  const short = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + short.length <= LONGEST_LINE) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((item) => `${inner}${jsonOf(item, inner)}`)
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${jsonOf(item, inner)}`);
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}
