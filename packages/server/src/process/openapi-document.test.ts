import { expect, test } from "vitest";
import { wholeDocument } from "../testing/whole-document.ts";
import { openapiDocument } from "./openapi-document.ts";

// What readers and generators of the document rely on; that it is valid OpenAPI 3.1 is checked by `npm run generate`.
type Media = { example?: unknown; examples?: object };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
};
type Document = {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};

const read = async (): Promise<Document> => JSON.parse(JSON.stringify(await openapiDocument()));
const written = await read();
const document = wholeDocument(written);
const tagNames = document.tags.map(({ name }) => name);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test("the same code gives the same document", async () => {
  expect(await read()).toEqual(written);
  expect(document.openapi).toBe("3.1.0");
});

test("operation ids are unique, and in one form", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect.soft(id).toMatch(/^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*$/);
});

test("each says what it does, who may, and what it can answer", () => {
  for (const { path, method, operation } of operations) {
    const where = `${method} ${path}`;
    expect.soft(operation.summary, where).toMatch(/^[A-Z].*[^.]$/s);
    expect.soft(operation.description, where).toMatch(/^[A-Z0-9`].*\.$/s);
    expect.soft(tagNames, where).toEqual(expect.arrayContaining(operation.tags));
    const statuses = Object.keys(operation.responses);
    expect
      .soft(
        statuses.some((status) => status.startsWith("2")),
        where,
      )
      .toBe(true);
    if (!path.includes("/v1/")) continue;
    const scheme = path.startsWith("/admin/") ? "operatorKey" : "apiKey";
    expect
      .soft(
        operation.security.map((one) => Object.keys(one)),
        where,
      )
      .toEqual([[scheme]]);
    expect.soft(statuses, where).toEqual(expect.arrayContaining(["400", "401", "429", "500", "503"]));
    // A range behind the end of a file is answered by headers alone.
    for (const status of statuses.filter((one) => Number(one) >= 400 && one !== "416")) {
      expect.soft(Object.keys(operation.responses[status]?.content ?? {}), where).toEqual(["application/problem+json"]);
    }
    const key = operation.parameters?.some((one) => one.name === "X-Idempotency-Key") ?? false;
    expect.soft(key, where).toBe(method === "post");
  }
});

test("it says where the gateway is, and what each group of operations is for", () => {
  expect(document.servers).toEqual([{ url: "/", description: expect.any(String) }]);
  const used = new Set(operations.flatMap(({ operation }) => operation.tags));
  expect(tagNames.toSorted()).toEqual([...used].toSorted());
  for (const { name, description } of document.tags) expect.soft(description, name).toMatch(/^[A-Z].*\.$/s);
});

test("what asks for no key says all that it can answer too", () => {
  const open = operations
    .filter(({ operation }) => operation.security.length === 0)
    .map(({ path, method, operation }) => [`${method} ${path}`, Object.keys(operation.responses)]);
  expect(Object.fromEntries(open)).toEqual({
    "get /webhooks/receive": ["200", "400", "403", "500"],
    "post /webhooks/receive": ["200", "400", "401", "413", "500", "503"],
    "get /media/{token}": ["200", "206", "304", "400", "404", "416", "500", "503"],
    "get /healthz": ["200", "400", "500"],
    "get /readyz": ["200", "400", "500", "503"],
  });
});

test("no schema is empty: what is the provider's is an object, and says so", () => {
  const empty: string[] = [];
  const look = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { type, additionalProperties, description, properties } = value as Record<string, unknown>;
    if (/\/(schema|items|properties\/[^/]+)$/.test(place) && Object.keys(value).length === 0) empty.push(place);
    const open = additionalProperties === true && properties === undefined;
    if (open && (type === undefined || typeof description !== "string")) empty.push(place);
    for (const [name, inner] of Object.entries(value))
      if (!["example", "examples"].includes(name)) look(inner, `${place}/${name}`);
  };
  look(document, "#");
  expect(empty).toEqual([]);
});

test("what operations have in common is written once, and referred to", () => {
  const places = new Map<string, string[]>();
  const { responses: refusals = {}, parameters: shared = {} } = written.components;
  const note = (part: object, place: string): void => {
    if ("$ref" in part) return;
    const text = JSON.stringify(part);
    places.set(text, [...(places.get(text) ?? []), place]);
  };
  for (const [path, methods] of Object.entries(written.paths)) {
    for (const [method, { responses, parameters = [] }] of Object.entries(methods)) {
      for (const [status, response] of Object.entries(responses))
        if (Number(status) >= 400) note(response, `${method} ${path} ${status}`);
      for (const parameter of parameters) if (parameter.in === "header") note(parameter, `${method} ${path}`);
    }
  }
  for (const [name, part] of [...Object.entries(refusals), ...Object.entries(shared)]) note(part as object, name);
  expect([...places.values()].filter((one) => one.length > 1)).toEqual([]);
  expect(Object.keys(refusals)).toEqual(expect.arrayContaining(["NotFound", "NotFoundUnlimited", "Unauthorized"]));
  const ofDeliveries = Object.keys(shared).filter((name) => /^(Service|Webhook)/.test(name));
  expect(Object.keys(shared).filter((name) => !ofDeliveries.includes(name))).toEqual([
    "IdempotencyKey",
    "IfMatch",
    "IfNoneMatch",
    "IfRange",
    "PageCursor",
    "PageLimit",
    "Prefer",
    "Range",
  ]);
  expect(ofDeliveries).toHaveLength(7);
});

test("every body and every answer has an example", () => {
  const bare = operations.flatMap(({ path, method, operation: { requestBody, responses } }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.entries(part?.content ?? {})
        .filter(([, { example, examples }]) => example === undefined && examples === undefined)
        .map(([type]) => `${method} ${path} ${type}`),
    ),
  );
  expect(bare).toEqual([]);
});

test("a path's parameters are all declared and required", () => {
  for (const { path, method, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((one) => one.in === "path");
    expect
      .soft(
        declared.map(({ name }) => name),
        `${method} ${path}`,
      )
      .toEqual(named);
    expect
      .soft(
        declared.every(({ required }) => required === true),
        `${method} ${path}`,
      )
      .toBe(true);
  }
});

test("every reference leads to a part of the document, and every 204 has no body", () => {
  const references = [...JSON.stringify(written).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? "");
  expect(references.length).toBeGreaterThan(0);
  for (const target of new Set(references)) {
    const [, section = "", name = ""] = /^#\/components\/([a-z]+)\/([^/]+)$/.exec(target) ?? [];
    expect.soft(document.components[section], target).toHaveProperty([name]);
  }
  for (const { path, operation } of operations) expect.soft(operation.responses["204"]?.content, path).toBeUndefined();
});
