import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

test("a command names the key that its path takes, and survives a quote", () => {
  expect(curlOf("https://waypost.example/v1/messages", { body: { text: "it's" } })).toBe(
    `curl 'https://waypost.example/v1/messages' -H "Authorization: Bearer $WAYPOST_API_KEY" -H "Content-Type: application/json" -d '{"text":"it'\\''s"}'`,
  );
  expect(curlOf("https://waypost.example/gateway/admin/v1/quarantine?cursor=a")).toContain(
    '-H "Authorization: Bearer $WAYPOST_OPERATOR_KEY"',
  );
  expect(curlOf("https://waypost.example/v1/contacts?q=/admin/v1/")).toContain("$WAYPOST_API_KEY");
});

test("a change names the version that it changes, and a file is read from where the command runs", () => {
  expect(
    curlOf("https://waypost.example/v1/segments/seg_1", { method: "PATCH", body: { name: "A" }, ifMatch: '"3"' }),
  ).toBe(
    `curl 'https://waypost.example/v1/segments/seg_1' -X PATCH -H "Authorization: Bearer $WAYPOST_API_KEY" -H 'If-Match: "3"' -H "Content-Type: application/json" -d '{"name":"A"}'`,
  );
  expect(
    curlOf("https://waypost.example/v1/contacts/imports", { file: { name: "it's.csv", type: "text/csv" } }),
  ).toContain(`-H "Content-Type: text/csv" --data-binary '@it'\\''s.csv'`);
});

test("no secret is in it", () => {
  const body = {
    url: "https://shop.example",
    secret: "s3cret-value",
    verify_token: "t0ken-value",
    pin: "123456",
    access_token: "EAAvalue",
    headers: { Authorization: "Bearer h1dden", "X-Old": null },
    template: { language: { code: "en" }, pin: "of no one", headers: { title: "Hello" } },
  };
  const command = curlOf("https://waypost.example/v1/webhook-endpoints", { body });
  expect(command).not.toMatch(/s3cret|t0ken|123456|EAAvalue|h1dden/);
  expect(JSON.parse(/-d '(.*)'$/.exec(command)?.[1] ?? "")).toEqual({
    url: "https://shop.example",
    secret: "<secret>",
    verify_token: "<verify_token>",
    pin: "<pin>",
    access_token: "<access_token>",
    headers: { Authorization: "<value>", "X-Old": null },
    template: { language: { code: "en" }, pin: "of no one", headers: { title: "Hello" } },
  });
});
