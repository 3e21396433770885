import { expect, test } from "vitest";
import { useEcho } from "../testing/echo.ts";

const { server } = useEcho();

test("the document matches the table", () => {
  const document = server.http.openapi() as {
    openapi: string;
    components: { schemas: Record<string, unknown> };
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths).filter((path) => !path.includes("things"))).toEqual([
    "/v1/secrets",
    "/raw",
    "/healthz",
    "/readyz",
  ]);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(["Thing", "Problem"]));
  expect(document.components.schemas["Thing"]).toMatchObject({ properties: { name: { type: ["string", "null"] } } });
  const make = document.paths["/v1/things"]?.["post"];
  expect(make).toMatchObject({
    operationId: "things.create",
    security: [{ apiKey: ["contacts:write"] }],
    responses: { 202: {}, 403: {}, 409: {}, 413: {}, 415: {}, 422: {} },
  });
  expect(make?.["requestBody"]).toMatchObject({
    content: { "application/json": { schema: { additionalProperties: false } } },
  });
  expect(document.paths["/v1/things/{id}"]?.["get"]).toMatchObject({
    responses: {
      200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
      404: {},
    },
  });
  expect(document.paths["/admin/v1/things"]?.["get"]).toMatchObject({ security: [{ operatorKey: [] }] });
});
