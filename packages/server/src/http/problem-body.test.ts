import { expect, test } from "vitest";
import { Problem } from "./problem.ts";
import { problemBody } from "./problem-body.ts";

const HERE = { requestId: "request-1", config: { PUBLIC_URL: null } };

test("the type is the address of the code's page, with the outside address where that is known", () => {
  const typeAt = (PUBLIC_URL: string | null): unknown =>
    JSON.parse(problemBody(new Problem("conflict", "No."), { requestId: "request-1", config: { PUBLIC_URL } })).type;
  expect(typeAt(null)).toBe("/docs/errors/conflict");
  expect(typeAt("https://example.com/waypost")).toBe("https://example.com/waypost/docs/errors/conflict");
});

test("the provider's error has the field names of the contract", () => {
  const provider = { code: 190, subcode: 463, title: "Expired", details: null, traceId: "AbC" };
  const body = JSON.parse(problemBody(new Problem("provider_rejected", "It said no.", { provider }), HERE));
  expect(body.provider).toEqual({ code: 190, subcode: 463, title: "Expired", details: null, trace_id: "AbC" });
  expect(JSON.parse(problemBody(new Problem("conflict", "No."), HERE))).not.toHaveProperty("provider");
});
