// The collection for Bruno, a client for trying APIs: a folder of text files, one a call.

/** Where it is. */
export const BRUNO = "examples/bruno";

/** The files of the collection by their paths, from the document with its examples. */
export function brunoCollection(document) {
  const files = new Map([
    [
      `${BRUNO}/bruno.json`,
      `${JSON.stringify({ version: "1", name: "Waypost", type: "collection", ignore: [] }, null, 2)}\n`,
    ],
    [`${BRUNO}/environments/npm start.bru`, ENVIRONMENT],
  ]);
  const numbers = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag] = operation.tags;
      const seq = (numbers.get(tag) ?? 0) + 1;
      numbers.set(tag, seq);
      files.set(`${BRUNO}/${tag}/${operation.operationId}.bru`, requestOf({ document, path, method, operation, seq }));
    }
  }
  return files;
}

const ENVIRONMENT = `vars {
  base_url: http://127.0.0.1:8080
}
vars:secret [
  api_key,
  operator_key
]
`;

function requestOf({ document, path, method, operation, seq }) {
  const parameters = (operation.parameters ?? []).map((one) => partOf(document, one));
  const of = (place) => parameters.filter((one) => one.in === place);
  const body = bodyOf(operation);
  const [access] = operation.security ?? [];
  const key = access === undefined ? null : "operatorKey" in access ? "operator_key" : "api_key";
  const url = `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  const blocks = [
    block("meta", [`name: ${operation.summary}`, "type: http", `seq: ${seq}`]),
    block(method, [`url: ${url}`, `body: ${body?.kind ?? "none"}`, `auth: ${key === null ? "none" : "bearer"}`]),
    pairs("params:query", of("query")),
    pairs("params:path", of("path")),
    pairs("headers", of("header"), body?.type === undefined ? [] : [`Content-Type: ${body.type}`]),
    key === null ? "" : block("auth:bearer", [`token: {{${key}}}`]),
    body === null ? "" : block(`body:${body.kind}`, body.lines),
    block("docs", [`${operation.operationId}: ${operation.description.replaceAll(/\s*\n\s*/g, " ")}`]),
  ];
  return `${blocks.filter((text) => text !== "").join("\n\n")}\n`;
}

const partOf = (document, part) =>
  part.$ref === undefined
    ? part
    : part.$ref.split("/").reduce((found, step) => (step === "#" ? document : found[step]), null);

const block = (name, lines) => `${name} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;

/** What need not be given is there, and switched off. */
function pairs(name, parameters, more = []) {
  const lines = parameters.map((one) => `${one.required ? "" : "~"}${one.name}: ${exampleOf(one)}`);
  return lines.length + more.length === 0 ? "" : block(name, [...more, ...lines]);
}

const exampleOf = ({ example, schema }) =>
  example ?? schema?.examples?.[0] ?? schema?.enum?.[0] ?? schema?.default ?? "";

function bodyOf({ requestBody }) {
  const content = requestBody?.content ?? {};
  const [type] = Object.keys(content);
  if (type === undefined) return null;
  const media = content["application/json"] ?? content[type];
  const example = media.example ?? Object.values(media.examples ?? {})[0]?.value;
  if (content["application/json"] !== undefined)
    return { kind: "json", lines: JSON.stringify(example, null, 2).split("\n") };
  if (type === "multipart/form-data") return { kind: "multipart-form", lines: ["file: @file(photo.jpg)"] };
  return { kind: "text", type, lines: String(example).trimEnd().split("\n") };
}
