// The Python SDK's types and resource classes: one class per `<resource>` of the operation ids, one method per operation, each in a
// synchronous and an asynchronous form.
import { docstring, isKeyword, PythonTypes } from "./python-types.mjs";

/** File name in the package → its text. Operations without a key (probes, callbacks) are no part of it. */
export function pythonSdk(document) {
  const types = new PythonTypes(document);
  const resources = (form) => resourcesText(document, types, form);
  const texts = { "_resources.py": resources(SYNC), "_async_resources.py": resources(ASYNC) };
  return { "types.py": types.text(), ...texts };
}

const SYNC = { prefix: "", define: "def", wait: "", about: "The resources of the synchronous clients." };
const ASYNC = {
  prefix: "Async",
  define: "async def",
  wait: "await ",
  about: "The resources of the asynchronous clients.",
};

function resourcesText(document, types, form) {
  const workspace = [...resourcesOf(document, "apiKey")];
  const operator = [...resourcesOf(document, "operatorKey")];
  const name = (resource) => `${form.prefix}${pascal(resource)}`;
  const operatorName = (resource) => `${form.prefix}Operator${pascal(resource)}`;
  const classes = [
    ...workspace.map(([resource, operations]) => resourceClass(name(resource), operations, types, form)),
    ...operator.map(([resource, operations]) => resourceClass(operatorName(resource), operations, types, form)),
    apiClass("WorkspaceApi", "The resources that an API key reaches.", workspace, name, form),
    apiClass("OperatorApi", "The resources that the operator key reaches.", operator, operatorName, form),
  ].join("\n\n\n");
  return `"""${form.about}"""

${imports(classes, form)}

${classes}
`;
}

function imports(text, { prefix }) {
  const code = text.replaceAll(/""".*"""/g, "");
  const from = (module, ...names) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    return used.length === 0 ? "" : `from ${module} import ${used.join(", ")}\n`;
  };
  const own = [
    [prefix === "" ? "._sender" : "._async_sender", `${prefix}Sender`],
    ["._event_stream", `${prefix}EventStream`],
    ["._files", "FileContent"],
    ["._listing", `${prefix}Listing`],
    ["._names", "Unpack"],
    ["._request", "segment"],
    ["._rows", `${prefix}Content`, `${prefix}Rows`],
  ].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `from __future__ import annotations

${from("datetime", "datetime")}${from("typing", "Any", "Dict", "List", "Literal", "Optional", "Union", "cast", "overload")}
from . import types
${own.map(([module, ...names]) => from(module, ...names)).join("")}`;
}

/** Resource → its operations, for those that a kind of key opens. */
function resourcesOf(document, scheme) {
  const resources = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.security?.some((one) => scheme in one)) continue;
      const [resource, name] = operation.operationId.split(".");
      const parameters = (operation.parameters ?? []).map((one) => partOf(document, one));
      const known = resources.get(resource) ?? [];
      const found = { document, name: snake(name), path, method: method.toUpperCase(), operation, parameters };
      resources.set(resource, [...known, found]);
    }
  }
  return resources;
}

/** The part that a reference leads to; a part that is written out is its own. */
const partOf = (document, part) =>
  part.$ref === undefined
    ? part
    : part.$ref.split("/").reduce((found, step) => (step === "#" ? document : found[step]), null);

function resourceClass(name, operations, types, form) {
  return `class ${name}:
    def __init__(self, sender: ${form.prefix}Sender) -> None:
        self._sender = sender

${operations.map((operation) => methodText(operation, types, form)).join("\n\n")}`;
}

/** The options of a call that its headers stand for. */
const OPTIONS = {
  "X-Idempotency-Key": "idempotency_key: Optional[str] = None",
  "If-Match": "if_match: Optional[str] = None",
  Prefer: "wait_seconds: Optional[int] = None",
};
const EVERY_OPTION = [
  "request_id: Optional[str] = None",
  "timeout: Optional[float] = None",
  "max_retries: Optional[int] = None",
];

const nameOf = (parameter) => parameter.split(":")[0];

function methodText(given, types, form) {
  const { name, method, operation, parameters } = given;
  if (isKeyword(name)) throw new Error(`${operation.operationId} would be a method named like a word of Python`);
  const query = parameters.filter((one) => one.in === "query");
  const options = [...parameters.flatMap((one) => OPTIONS[one.name] ?? []), ...EVERY_OPTION];
  const { before, named, call: content, bodies } = contentOf(given, types);
  const inPath = parameters.filter((one) => one.in === "path").map((one) => `${one.name}: str`);
  const inQuery = query.map((one) => `${safe(one.name)}: ${queryType(one, types)}`);
  const { kind, result, call } = resultOf(given, types, form);
  const address = given.path.replaceAll(/\{(\w+)\}/g, (_, parameter) => `{segment(${parameter})}`);
  const verb = call === "json" ? `"${method}", ` : "";
  const sent = [
    `${verb}${inPath.length > 0 ? `f"${address}"` : `"${address}"`}`,
    ...content.positional,
    ...(query.length > 0 || ["list", "rows", "stream"].includes(call)
      ? [`query={${query.map((one) => `"${one.name}": ${safe(one.name)}`).join(", ")}}`]
      : []),
    ...content.named,
    ...options.map((one) => `${nameOf(one)}=${nameOf(one)}`),
  ];
  const sending = `self._sender.${content.call ?? call}(${sent.join(", ")})`;
  const positional = [...inPath, ...before];
  const ahead = ["self", ...positional, ...(positional.length > 0 ? ["/"] : []), "*", ...named, ...inQuery];
  const isWaited = kind === "answer";
  const head = (body) => {
    const all = [...ahead, ...(body.from ? ["from_: Optional[str] = None"] : []), ...options];
    refuseTwice(operation.operationId, [...all.map(nameOf), ...body.fields]);
    return signature(isWaited ? form.define : "def", name, [...all, ...body.rest], result);
  };
  const doc = `        ${docstring(words(operation))}\n`;
  const returned = returnText(kind, result, sending, form);
  const adopt = bodies.some((one) => one.from)
    ? `        if from_ is not None:\n            body["from"] = from_\n`
    : "";
  if (bodies.length <= 1) return `${head(bodies[0] ?? NO_BODY)}\n${doc}${adopt}${returned}`;
  const overloads = bodies.map((body) => `    @overload\n${head(body)} ...\n`);
  const whole = { from: bodies.some((one) => one.from), fields: [], rest: ["**body: Any"] };
  return `${overloads.join("\n")}\n${head(whole)}\n${doc}${adopt}${returned}`;
}

const NO_BODY = { from: false, fields: [], rest: [] };

const signature = (define, name, parameters, result) =>
  `    ${define} ${name}(\n${parameters.map((one) => `        ${one},\n`).join("")}    ) -> ${result}:`;

function refuseTwice(id, names) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${id} would have the argument ${twice} twice`);
}

/** What an operation takes in its body: arguments, how they are sent, and the types of the fields, one for each kind of body. */
function contentOf({ document, operation, name }, types) {
  const none = { before: [], named: [], bodies: [], call: { positional: [], named: [] } };
  const contents = operation.requestBody?.content ?? {};
  const media = Object.keys(contents);
  if (media.length === 0) return none;
  const json = contents["application/json"];
  if (json === undefined) {
    const isForm = media.join() === "multipart/form-data";
    const kinds = media.filter((one) => one !== "multipart/form-data").map((one) => `"${one}"`);
    return {
      ...none,
      before: ["content: FileContent"],
      named: isForm
        ? ["filename: Optional[str] = None", "type: Optional[str] = None"]
        : [`type: Literal[${kinds.join(", ")}]`],
      call: {
        call: isForm ? "form" : "upload",
        positional: isForm ? ["content", "filename", "type"] : ["content", "type"],
        named: [],
      },
    };
  }
  const whole = partOf(document, json.schema);
  const [resource] = operation.operationId.split(".");
  const schemas = whole.oneOf ?? [json.schema];
  const bodies = schemas.map((schema) => {
    const type = types.typeOf(schema, `${pascal(resource)}${pascal(camel(name))}Body`);
    const fields = Object.keys(partOf(document, schema).properties);
    return {
      from: fields.includes("from"),
      fields: fields.filter((field) => field !== "from"),
      rest: [`**body: Unpack[types.${type}]`],
    };
  });
  return { ...none, bodies, call: { positional: [], named: ["body=body"] } };
}

function queryType({ schema }, types) {
  const type = qualified(types.typeOf(schema, ""), types);
  return `Optional[${schema.format === "date-time" ? "Union[str, datetime]" : type}] = None`;
}

/** What comes back, and the method of the sender that fetches it. */
function resultOf({ method, operation, name }, types, { prefix }) {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  const content = success?.content ?? {};
  const schema = content["application/json"]?.schema;
  const [resource] = operation.operationId.split(".");
  const inner = `${pascal(resource)}${pascal(camel(name))}`;
  const named = (one, suffix) => qualified(types.typeOf(one, `${inner}${suffix}`), types);
  const events = content["text/event-stream"];
  const rows = schema === undefined ? content["application/x-ndjson"] : undefined;
  if (events)
    return { kind: "made", result: `${prefix}EventStream[${named(events["x-item-schema"], "Event")}]`, call: "stream" };
  if (content["application/octet-stream"]) return { kind: "answer", result: `${prefix}Content`, call: "content" };
  if (rows) return { kind: "made", result: `${prefix}Rows[${named(rows.schema, "Row")}]`, call: "rows" };
  const lists =
    method === "GET" && schema?.properties?.data !== undefined && schema.properties.next_cursor !== undefined;
  if (lists)
    return { kind: "made", result: `${prefix}Listing[${named(schema.properties.data.items, "Entry")}]`, call: "list" };
  return { kind: "answer", result: schema ? named(schema, "Result") : "None", call: "json" };
}

const qualified = (type, types) => type.replaceAll(/\w+/g, (word) => (types.has(word) ? `types.${word}` : word));

function returnText(kind, result, sending, { wait }) {
  if (kind === "made") return `        return ${sending}`;
  if (result === "None") return `        ${wait}${sending}`;
  if (result.endsWith("Content")) return `        return ${wait}${sending}`;
  return `        return cast("${result}", ${wait}${sending})`;
}

function words({ summary, description }) {
  return [`${summary}.`, ...(description ? [description] : [])].join(" ");
}

const safe = (name) => (isKeyword(name) ? `${name}_` : name);
const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => name.charAt(0).toUpperCase() + name.slice(1);

function apiClass(name, sentence, resources, classOf, { prefix }) {
  const names = resources.map(([resource]) => resource);
  return `class ${prefix}${name}:
    ${docstring(sentence)}

${names.map((resource) => `    ${snake(resource)}: ${classOf(resource)}`).join("\n")}

    def __init__(self, sender: ${prefix}Sender) -> None:
${names.map((resource) => `        self.${snake(resource)} = ${classOf(resource)}(sender)`).join("\n")}`;
}
