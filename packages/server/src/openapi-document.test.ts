import { expect, test } from "vitest";
import { openapiDocument } from "./openapi-document.ts";

// What readers and generators of the document rely on; that it is valid OpenAPI 3.1 is checked by `npm run generate`.
type Operation = {
  operationId: string;
  summary: string;
  security: Record<string, string[]>[];
  parameters?: { in: string; name: string; required?: boolean }[];
  responses: Record<string, { description: string; content?: Record<string, unknown> }>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
};

const read = async (): Promise<Document> => JSON.parse(JSON.stringify(await openapiDocument()));
const document = await read();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test("the same code gives the same document", async () => {
  expect(await read()).toEqual(document);
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
    for (const status of statuses.filter((one) => Number(one) >= 400)) {
      expect.soft(Object.keys(operation.responses[status]?.content ?? {}), where).toEqual(["application/problem+json"]);
    }
    const key = operation.parameters?.some((one) => one.name === "X-Idempotency-Key") ?? false;
    expect.soft(key, where).toBe(method === "post");
  }
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

test("every reference leads to a schema of the document, and every 204 has no body", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? "");
  expect(references.length).toBeGreaterThan(0);
  for (const target of new Set(references)) {
    const name = /^#\/components\/schemas\/([^/]+)$/.exec(target)?.[1] ?? "";
    expect.soft(document.components.schemas, target).toHaveProperty([name]);
  }
  for (const { path, operation } of operations) expect.soft(operation.responses["204"]?.content, path).toBeUndefined();
});
