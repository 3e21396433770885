// The SDK's resource classes: one class per `<resource>` of the operation ids, one method per operation.

/** The text of packages/sdk/src/resources.gen.ts. Operations without a key (probes, callbacks) are no part of it. */
export function sdkResources(document) {
  const workspace = resourcesOf(document, "apiKey");
  const operator = resourcesOf(document, "operatorKey");
  const body = [
    ...[...workspace].map(([name, operations]) => resourceClass(className(name), operations)),
    ...[...operator].map(([name, operations]) => resourceClass(operatorClassName(name), operations)),
    apiClass("WorkspaceApi", "The resources that an API key reaches.", [...workspace.keys()], className),
    apiClass("OperatorApi", "The resources that the operator key reaches.", [...operator.keys()], operatorClassName),
  ].join("\n\n");
  const types = ["Body", "Item", "Query", "Result", "Row"].filter((name) => body.includes(`${name}<"`));
  const lists = body.includes("Listing<") ? `import type { Listing } from "./listing.ts";\n` : "";
  const rows = body.includes("Rows<") ? `import type { Rows } from "./rows.ts";\n` : "";
  const streams = body.includes("EventStream<") ? `import type { EventStream } from "./event-stream.ts";\n` : "";
  const files = ["FileBody", "FormFile"].filter((name) => body.includes(`: ${name}`));
  const bodies = files.length > 0 ? `import type { ${files.join(", ")} } from "./file-body.ts";\n` : "";
  const named = body.includes("wire.") ? `import type * as wire from "./api.gen.ts";\n` : "";
  return `${named}${streams}${bodies}${lists}import type { ${types.join(", ")} } from "./operation.ts";
${rows}import { type RequestOptions, type Sender, segment } from "./sender.ts";

${body}
`;
}

/** Resource → its operations, for those that a kind of key opens. */
function resourcesOf(document, scheme) {
  const resources = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.security?.some((one) => scheme in one)) continue;
      const [resource, name] = operation.operationId.split(".");
      const known = resources.get(resource) ?? [];
      const parameters = (operation.parameters ?? []).map((one) => partOf(document, one));
      resources.set(resource, [...known, { name, path, method: method.toUpperCase(), operation, parameters }]);
    }
  }
  return resources;
}

/** The part that a reference leads to; a part that is written out is its own. */
const partOf = (document, part) =>
  part.$ref === undefined
    ? part
    : part.$ref.split("/").reduce((found, step) => (step === "#" ? document : found[step]), null);

const className = (resource) => resource.charAt(0).toUpperCase() + resource.slice(1);
const operatorClassName = (resource) => `Operator${className(resource)}`;

function resourceClass(name, operations) {
  return `export class ${name} {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }
${operations.map((operation) => `\n${methodText(operation)}`).join("\n")}
}`;
}

function methodText({ name, path, method, operation, parameters }) {
  const id = `"${operation.operationId}"`;
  const inPath = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
  const takesQuery = parameters.some((parameter) => parameter.in === "query");
  const content = operation.requestBody?.content?.["application/json"];
  const bodyRequired = operation.requestBody?.required === true;
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  const schema = success?.content?.["application/json"]?.schema;
  const lists =
    method === "GET" && schema?.properties?.data !== undefined && schema.properties.next_cursor !== undefined;

  const bodies = Object.keys(operation.requestBody?.content ?? {});
  const isForm = bodies.join() === "multipart/form-data";
  const uploads = !isForm && bodies.includes("multipart/form-data");
  const isContent = success?.content?.["application/octet-stream"] !== undefined;
  const rows = schema === undefined ? success?.content?.["application/x-ndjson"] : undefined;
  const events = success?.content?.["text/event-stream"];
  const takes = typeOf(content?.schema, `Body<${id}>`);

  const given = [
    ...inPath.map((parameter) => `${camel(parameter)}: string`),
    ...(uploads ? ["file: FileBody"] : []),
    ...(isForm ? ["form: FormFile"] : []),
    ...(content ? [bodyRequired ? `body: ${takes}` : `body: ${takes} = {}`] : []),
    ...(takesQuery ? [`query: Query<${id}> = {}`] : []),
    "options?: RequestOptions",
  ];
  const input = [
    ...(takesQuery ? ["query"] : []),
    ...(content ? ["body"] : []),
    ...(uploads ? ["file"] : []),
    ...(isForm ? ["form"] : []),
    "options",
  ].join(", ");
  const address = path.replaceAll(/\{(\w+)\}/g, (_, parameter) => `\${segment(${camel(parameter)})}`);
  const url = inPath.length > 0 ? `\`${address}\`` : `"${address}"`;
  const [result, call] = events
    ? [`EventStream<${typeOf(events["x-item-schema"])}>`, `stream(${url}, { ${input} })`]
    : isContent
      ? ["Promise<Response>", `content(${url}, { ${input} })`]
      : rows
        ? [`Rows<${typeOf(rows.schema, `Row<${id}>`)}>`, `rows(${url}, { ${input} })`]
        : lists
          ? [`Listing<${typeOf(schema.properties.data.items, `Item<${id}>`)}>`, `list(${url}, { ${input} })`]
          : schema
            ? [`Promise<${typeOf(schema, `Result<${id}>`)}>`, `json("${method}", ${url}, { ${input} })`]
            : ["Promise<void>", `nothing("${method}", ${url}, { ${input} })`];
  return `  /** ${words(operation)} */
  ${name}(${given.join(", ")}): ${result} {
    return this.#sender.${call};
  }`;
}

/** The type of a schema by its name; `otherwise` is that of one that has none. */
const typeOf = (schema, otherwise) =>
  schema?.$ref === undefined ? otherwise : `wire.${schema.$ref.split("/").at(-1)}`;

function words({ summary, description }) {
  const text = [`${summary}.`, ...(description ? [description] : [])].join(" ");
  return text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ");
}

const camel = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());

function apiClass(name, sentence, resources, classOf) {
  return `/** ${sentence} */
export class ${name} {
${resources.map((resource) => `  readonly ${resource}: ${classOf(resource)};`).join("\n")}

  constructor(sender: Sender) {
${resources.map((resource) => `    this.${resource} = new ${classOf(resource)}(sender);`).join("\n")}
  }
}`;
}
