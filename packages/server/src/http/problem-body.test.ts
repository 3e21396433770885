import { expect, test } from "vitest";
import { Problem } from "./problem.ts";
import { problemBody } from "./problem-body.ts";

test("the provider's error has the field names of the contract", () => {
  const provider = { code: 190, subcode: 463, title: "Expired", details: null, traceId: "AbC" };
  const body = JSON.parse(problemBody(new Problem("provider_rejected", "It said no.", { provider }), "request-1"));
  expect(body.provider).toEqual({ code: 190, subcode: 463, title: "Expired", details: null, trace_id: "AbC" });
  expect(JSON.parse(problemBody(new Problem("conflict", "No."), "request-1"))).not.toHaveProperty("provider");
});
