import { requestErrorOf } from "./catalogues.ts";
import { jsonText, programsOf, type Where } from "./code.ts";
import type { Answer, ApiDocument, Media, Operation } from "./document.ts";
import { fieldsMarkdown, typeOf, valueText } from "./fields.ts";
import { table } from "./inline.ts";

/** The page of an operation: how it is called, with what, and all that it answers. */
export function operationMarkdown(operation: Operation, sources: Where & { document: ApiDocument }): string {
  const { document } = sources;
  const { summary, method, path, id, description, deprecated } = operation;
  const parts = [
    `# ${summary}`,
    `\`${method} ${path}\``,
    ...(deprecated ? ["**Deprecated**: its answers say in `Deprecation` and `Sunset` until when it is there."] : []),
    description,
    table(["", ""], [["Name", `\`${id}\``], ["Key", accessOf(operation)], ...tryOf(operation)]),
    ...programsMarkdown(operation, sources),
    ...parametersMarkdown(operation, document),
    ...bodyMarkdown(operation, document),
    "## Answers",
    ...operation.answers
      .filter(({ status }) => Number(status) < 400)
      .flatMap((answer) => answerMarkdown(answer, document)),
    ...errorsOf(operation),
    ...besideMarkdown(operation, document),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function accessOf({ key, scopes }: Operation): string {
  if (key === null) return "none";
  if (key === "operatorKey") return "the operator key, `WAYPOST_OPERATOR_KEY`";
  const [scope] = scopes;
  return scope === undefined ? "an API key with any scope" : `an API key with the scope \`${scope}\``;
}

const tryOf = ({ key, tag, method, path }: Operation): string[][] =>
  key === null
    ? []
    : [["Try it", `[${method} ${path}](/docs/try#tag/${tag.toLowerCase().replaceAll(" ", "-")}/${method}${path})`]];

function programsMarkdown(operation: Operation, where: Where): string[] {
  const media =
    operation.body?.media.find(({ type }) => type === "application/json") ?? operation.body?.media[0] ?? null;
  const programs = programsOf(operation, where, media);
  return ["## Example", ...programs.flatMap(({ title, language, text }) => [`### ${title}`, fence(language, text)])];
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function parametersMarkdown({ parameters }: Operation, document: ApiDocument): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, description = "", schema }) => {
    const type = typeOf(document, schema);
    return [
      `\`${name}\``,
      place,
      required === true ? `${type}, **required**` : type,
      `${description} ${valueText(schema)}`.trim(),
    ];
  });
  return ["## Parameters", table(["Name", "In", "Type", ""], rows)];
}

function bodyMarkdown({ body }: Operation, document: ApiDocument): string[] {
  if (body === null) return [];
  const types = body.media.map(({ type }) => `\`${type}\``).join(", ");
  return [
    "## Body",
    `${types}${body.required ? "" : "; it may be left out"}.`,
    ...body.media.filter(isStructured).map((media) => fieldsMarkdown(document, media.schema, "sent")),
    ...furtherExamples(body.media),
  ];
}

const isStructured = ({ type }: Media): boolean => type === "application/json" || type === "multipart/form-data";

/** The first one is in the programs. */
const furtherExamples = (media: readonly Media[]): string[] =>
  media
    .filter(({ type }) => type === "application/json")
    .flatMap(({ examples }) => examples.slice(1))
    .flatMap(({ summary, value }) => [`### ${summary}`, fence("json", jsonText(value))]);

function answerMarkdown({ status, description, headers, media }: Answer, document: ApiDocument): string[] {
  const named = headers.map((name) => `\`${name}\``).join(", ");
  return [
    `### ${status}`,
    `${description}${named === "" ? "" : ` Headers: ${named}.`}`,
    ...media.flatMap((one) => contentMarkdown(one, document)),
  ];
}

function contentMarkdown({ type, schema, examples }: Media, document: ApiDocument): string[] {
  const [example] = examples;
  if (type === "application/json") {
    const fields = fieldsMarkdown(document, schema, "answered");
    return [fields, ...(example === undefined ? [] : [fence("json", jsonText(example.value))])];
  }
  const shown = typeof example?.value === "string" ? example.value.trimEnd() : jsonText(example?.value ?? null);
  return [
    `\`${type}\`: ${schema.description ?? "rows, one a line."}`,
    ...(example === undefined ? [] : [fence("", shown)]),
  ];
}

function errorsOf({ codes }: Operation): string[] {
  const rows = codes.flatMap((code) => {
    const problem = requestErrorOf(code);
    return problem === undefined
      ? []
      : [[`[\`${code}\`](/docs/errors/${code})`, String(problem.status), problem.title, problem.remedy]];
  });
  return rows.length === 0 ? [] : ["## Errors", table(["Code", "Status", "Meaning", "What to do"], rows)];
}

function besideMarkdown({ id, tag }: Operation, { operations }: ApiDocument): string[] {
  const others = operations.filter((one) => one.tag === tag && one.id !== id);
  if (others.length === 0) return [];
  return [
    `## More of ${tag}`,
    others.map((one) => `- [${one.summary}](/docs/${one.id}) \`${one.method} ${one.path}\``).join("\n"),
  ];
}
