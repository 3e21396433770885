import { expect, test } from "vitest";
import { checkRequestUrl } from "./register.ts";

const refusal = (pointer: string) =>
  expect.objectContaining({
    code: "invalid_request",
    extras: { errors: [expect.objectContaining({ pointer, code: "invalid_text" })] },
  });

test("NUL in a URL is refused, in the path or in the query", () => {
  expect(() => checkRequestUrl("/v1/x%00?a=1")).toThrow(refusal(""));
  expect(() => checkRequestUrl("/v1/x?a=%00")).toThrow(refusal("?"));
  expect(() => checkRequestUrl("/v1/x?a=%2500")).not.toThrow();
});
