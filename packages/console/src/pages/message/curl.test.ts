import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

test("a command names the key that its path takes, and survives a quote", () => {
  expect(curlOf("https://waypost.example/v1/messages", { text: "it's" })).toBe(
    `curl 'https://waypost.example/v1/messages' -H "Authorization: Bearer $WAYPOST_API_KEY" -H "Content-Type: application/json" -d '{"text":"it'\\''s"}'`,
  );
  expect(curlOf("https://waypost.example/gateway/admin/v1/quarantine?cursor=a")).toContain(
    '-H "Authorization: Bearer $WAYPOST_OPERATOR_KEY"',
  );
  expect(curlOf("https://waypost.example/v1/contacts?q=/admin/v1/")).toContain("$WAYPOST_API_KEY");
});
