import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { FORM, typeOfText } from "./examples.ts";

// The OpenAPI document as seen by a reader who does not know the code.
type Example = { summary: string; value: unknown; $ref?: string };
export type Media = { schema: Schema; example?: unknown; examples?: Record<string, Example> };
type Schema = { $ref?: string; [keyword: string]: unknown };
type Parameter = { name: string; in: string; required: boolean; example?: string | number | boolean; schema: Schema };
type Response = { description: string; headers?: Record<string, unknown>; content?: Record<string, Media> };
type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
};
export type ApiDocument = {
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; examples: Record<string, Example> };
};

export type Operation = Described & { method: string; path: string; name: string };

export const operationsOf = (document: ApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      name: `${method.toUpperCase()} ${path}`,
    })),
  );

/** The example bodies of an operation, by their names; a single null for an operation without a body. */
export function bodiesOf({ requestBody }: Operation): [string, unknown][] {
  if (requestBody === undefined) return [["none", null]];
  const media = requestBody.content["application/json"] ?? requestBody.content["text/csv"];
  if (media === undefined) return [["form", FORM]];
  return media.examples === undefined
    ? [["the", media.example]]
    : Object.entries(media.examples).map(([name, { value }]) => [name, value]);
}

/** The command that the reference page offers for copying: all required parts, with their examples, and no more. */
export function curlOf(operation: Operation, base: string, body: unknown, ids: Record<string, string> = {}): string {
  const required = (operation.parameters ?? []).filter(({ required }) => required);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const example = String(required.find((one) => one.in === "path" && one.name === name)?.example);
    return ids[example.split("_")[0] ?? ""] ?? example;
  });
  const query = required.filter((one) => one.in === "query").map((one) => `${one.name}=${String(one.example)}`);
  const headers = required.filter((one) => one.in === "header").map((one) => `${one.name}: ${String(one.example)}`);
  const isFile = typeof body === "string";
  if (body !== null) headers.push(`Content-Type: ${isFile ? typeOfText(body) : "application/json"}`);
  if (operation.security.length > 0) headers.push("Authorization: Bearer YOUR_SECRET_TOKEN");
  const words = [
    `curl '${base}${path}${query.length === 0 ? "" : `?${query.join("&")}`}'`,
    ...(operation.method === "GET" ? [] : [`--request ${operation.method}`]),
    ...headers.map((header) => `--header '${header}'`),
    ...(body === null ? [] : [isFile ? `--data-binary '${body}'` : `--data '${JSON.stringify(body, null, 2)}'`]),
  ];
  return words.join(" \\\n  ");
}

/** Validates values against the schemas of a document, as other tools do. */
export function validatorOf(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "document" });
  const compiled = new Map<string, ValidateFunction>();
  const step = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
  /** The faults of a value for the schema at this path from the document's root; empty when it is valid. */
  return (steps: readonly string[], value: unknown): string[] => {
    const $ref = `document#/${steps.map(step).join("/")}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
