import type { Media, Operation } from "./document.ts";

/** What the programs of a page are written with. */
export type Where = { baseUrl: string };

/** A program in one language, that calls an operation with the required parts and an example of each. */
type Program = { title: string; language: string; text: string };

/** The same call in each language that can make it with little. */
export function programsOf(operation: Operation, where: Where, media: Media | null): Program[] {
  const call = { ...where, operation, media, value: media?.examples[0]?.value };
  const programs = [{ title: "curl", language: "sh", text: curlOf(call) }];
  const script = scriptOf(call);
  if (script !== null) programs.push({ title: "TypeScript, with the SDK", language: "ts", text: script });
  const python = pythonOf(call);
  if (python !== null) programs.push({ title: "Python, with its standard library", language: "python", text: python });
  return programs;
}

type Call = Where & { operation: Operation; media: Media | null; value: unknown };

const FORM = "multipart/form-data";
const isText = (value: unknown): value is string => typeof value === "string";
function exampleOf({ example, schema }: Operation["parameters"][number]): string {
  const { examples: [other] = [], const: only } = schema as { examples?: unknown[]; const?: unknown };
  const value = example ?? other ?? only ?? "…";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The path with the examples of its parameters, and the required part of the query. */
function addressOf({ baseUrl, operation }: Call): string {
  const { path, parameters } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((one) => one.in === "path" && one.name === name);
    return parameter === undefined ? name : encodeURIComponent(exampleOf(parameter));
  });
  const query = parameters.filter((one) => one.in === "query" && one.required === true);
  const pairs = query.map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`);
  return `${baseUrl}${filled}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}

/** The variable of the environment that has the key. */
const variableOf = ({ key }: Operation): string => (key === "operatorKey" ? "WAYPOST_OPERATOR_KEY" : "WAYPOST_API_KEY");

const requiredHeaders = ({ parameters }: Operation): string[] =>
  parameters
    .filter((one) => one.in === "header" && one.required === true)
    .map((one) => `${one.name}: ${exampleOf(one)}`);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command, as a shell takes it. */
export function curlOf(call: Call): string {
  const { operation, media, value } = call;
  const address = addressOf(call);
  return [
    `curl ${/[?&]/.test(address) ? quoted(address) : address}`,
    ...(["GET", "POST"].includes(operation.method) && (operation.method === "GET" || media !== null)
      ? []
      : [`-X ${operation.method}`]),
    ...(operation.key === null ? [] : [`-H "Authorization: Bearer $${variableOf(operation)}"`]),
    ...requiredHeaders(operation).map((header) => `-H ${quoted(header)}`),
    ...bodyWords(media, value),
    ...(isFile(operation) ? ["--output file"] : []),
  ].join(" \\\n  ");
}

function bodyWords(media: Media | null, value: unknown): string[] {
  if (media === null) return [];
  if (media.type === FORM) return ["-F file=@photo.jpg"];
  const type = `-H ${quoted(`Content-Type: ${media.type}`)}`;
  return isText(value)
    ? [type, `--data-binary ${quoted(value)}`]
    : [type, `-d ${quoted(written(value, JSON_STYLE, ""))}`];
}

const typesOf = ({ answers }: Operation): string[] =>
  answers.filter(({ status }) => status.startsWith("2")).flatMap(({ media }) => media.map(({ type }) => type));
const isFile = (operation: Operation): boolean => typesOf(operation).includes("application/octet-stream");

/** A call of the SDK; null for one that no key opens, which the SDK does not have. */
function scriptOf({ baseUrl, operation, media, value }: Call): string | null {
  if (operation.key === null) return null;
  const [client, option] = operation.key === "apiKey" ? ["Waypost", "apiKey"] : ["WaypostOperator", "operatorKey"];
  const given = [
    ...operation.parameters.filter((one) => one.in === "path").map((one) => JSON.stringify(exampleOf(one))),
    ...(media === null ? [] : [bodyOfScript(media, value)]),
    ...queryOfScript(operation),
  ];
  const call = `waypost.${operation.id}(${given.join(", ")})`;
  const imports = media?.type === FORM ? `import { openAsBlob } from "node:fs";\n` : "";
  const opened = `const waypost = new ${client}({ ${option}: process.env.${variableOf(operation)} ?? "", baseUrl: ${JSON.stringify(baseUrl)} });`;
  return `${imports}import { ${client} } from "@waypost/sdk";\n\n${opened}\n${useOf(operation, call)}`;
}

const bodyOfScript = (media: Media, value: unknown): string =>
  media.type === FORM
    ? `{ content: await openAsBlob("photo.jpg"), filename: "photo.jpg" }`
    : isText(value)
      ? `{ content: ${JSON.stringify(value)}, type: ${JSON.stringify(media.type)} }`
      : written(value, SCRIPT_STYLE, "");

function queryOfScript({ parameters }: Operation): string[] {
  const required = parameters.filter((one) => one.in === "query" && one.required === true);
  if (required.length === 0) return [];
  return [written(Object.fromEntries(required.map((one) => [one.name, exampleOf(one)])), SCRIPT_STYLE, "")];
}

function useOf(operation: Operation, call: string): string {
  const types = typesOf(operation);
  const json = operation.answers
    .find(({ status }) => status.startsWith("2"))
    ?.media.find(({ type }) => type === "application/json");
  const properties = (json?.schema["properties"] ?? {}) as Record<string, unknown>;
  const isIterated =
    types.includes("text/event-stream") ||
    (json === undefined && types.includes("application/x-ndjson")) ||
    (operation.method === "GET" && "data" in properties && "next_cursor" in properties);
  if (isIterated) return `for await (const one of ${call}) console.log(one);`;
  if (isFile(operation)) return `const response = await ${call};\nconsole.log(response.headers.get("content-type"));`;
  return types.length === 0 ? `await ${call};` : `console.log(await ${call});`;
}

/** A request with what every Python has; null for a form, which that cannot write. */
function pythonOf(call: Call): string | null {
  const { operation, media, value } = call;
  if (media?.type === FORM) return null;
  const headers = [
    ...(operation.key === null ? [] : [`"Authorization": f"Bearer {os.environ['${variableOf(operation)}']}"`]),
    ...requiredHeaders(operation).map((header) => {
      const [name = "", text = ""] = header.split(": ");
      return `${JSON.stringify(name)}: ${JSON.stringify(text)}`;
    }),
    ...(media === null ? [] : [`"Content-Type": ${JSON.stringify(media.type)}`]),
  ];
  const data = isText(value)
    ? `${JSON.stringify(value)}.encode()`
    : `json.dumps(${written(value, PYTHON_STYLE, "    ")}).encode()`;
  const use = useOfPython(typesOf(operation));
  const usesJson = use.includes("json.") || (media !== null && !isText(value));
  const imports = [...(usesJson ? ["json"] : []), ...(operation.key === null ? [] : ["os"])];
  return `${[...imports, "urllib.request"].map((name) => `import ${name}\n`).join("")}
request = urllib.request.Request(
    ${JSON.stringify(addressOf(call))},
    method=${JSON.stringify(operation.method)},
    headers={${headers.join(", ")}},${media === null ? "" : `\n    data=${data},`}
)
with urllib.request.urlopen(request) as answer:
    ${use}`;
}

function useOfPython(types: readonly string[]): string {
  if (types.includes("application/json")) return "print(json.load(answer))";
  if (types.includes("text/event-stream")) return `for line in answer:\n        print(line.decode(), end="")`;
  return types.length > 0 ? "print(answer.read())" : "print(answer.status)";
}

/** `longest`: what is longer is written over several lines. */
type Style = { key(name: string): string; word(value: string): string; spaced: boolean; longest: number };
const JSON_STYLE: Style = { key: (name) => JSON.stringify(name), word: (value) => value, spaced: false, longest: 100 };
const SCRIPT_STYLE: Style = {
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  word: (value) => value,
  spaced: true,
  longest: 60, // a call stands around it
};
const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
const PYTHON_STYLE: Style = {
  key: (name) => JSON.stringify(name),
  word: (value) => PYTHON_WORDS[value] ?? value,
  spaced: false,
  longest: 80,
};

/** A value as the language writes it: what fits a line is on one. */
function written(value: unknown, style: Style, indent: string): string {
  if (typeof value !== "object" || value === null)
    return isText(value) ? JSON.stringify(value) : style.word(JSON.stringify(value ?? null));
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const parts = isList
    ? value.map((one) => written(one, style, inner))
    : Object.entries(value).map(([name, one]) => `${style.key(name)}: ${written(one, style, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  const short = parts.join(", ");
  const space = style.spaced && !isList ? " " : "";
  if (!short.includes("\n") && indent.length + short.length <= style.longest)
    return `${open}${space}${short}${space}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(",\n")}\n${indent}${close}`;
}

/** JSON that a person can look over. */
export const jsonText = (value: unknown): string => written(value, JSON_STYLE, "");
