import type { WebhookEndpoint } from "@waypost/sdk";
import { expect, test } from "vitest";
import type { Given } from "../../parts/form-field.ts";
import { changeOf, headersIn, newEndpoint } from "./body.ts";

/** A form with these fields. */
function given(fields: Readonly<Record<string, string | string[]>>): Given {
  const list = (path: string): string[] => [fields[path] ?? []].flat().filter(Boolean);
  const text = (path: string): string => list(path)[0] ?? "";
  return {
    has: (path) => list(path).length > 0,
    text,
    orNull: (path) => text(path) || null,
    number: (path) => (text(path) === "" ? null : Number(text(path))),
    time: () => null,
    list,
    is: (path) => path in fields,
    file: () => null,
  };
}

const BEFORE: WebhookEndpoint = {
  id: "whe_01jd0000000000000000000000",
  url: "https://example.com/hooks",
  format: "waypost",
  events: ["messages", "delivered"],
  fields: [],
  description: null,
  ordered: false,
  phone_number_ids: ["num_01jd0000000000000000000000"],
  business_account_ids: null,
  headers: ["authorization", "x-shop"],
  timeout_seconds: 15,
  rate_per_second: null,
  enabled: true,
  status: "active",
  disabled_reason: null,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};
const SAME = {
  url: BEFORE.url,
  events: ["delivered", "messages"],
  timeout_seconds: "15",
  enabled: "on",
  phone_number_ids: ["num_01jd0000000000000000000000"],
  phone_number_ids_shown: "1",
};

test("only what was edited is changed", () => {
  expect(changeOf(given(SAME), BEFORE)).toEqual({});
  expect(
    changeOf(
      given({ ...SAME, events: ["*"], description: "Shop", headers: "X-Shop: 7", removed_headers: "authorization" }),
      BEFORE,
    ),
  ).toEqual({ events: ["*"], description: "Shop", headers: { authorization: null, "X-Shop": "7" } });
});

test("a limit ends when its last choice is taken away, and stays where it could not be shown", () => {
  expect(changeOf(given({ ...SAME, phone_number_ids: "" }), BEFORE)).toEqual({ phone_number_ids: null });
  const { phone_number_ids_shown: _, ...unseen } = SAME;
  expect(changeOf(given({ ...unseen, phone_number_ids: "" }), BEFORE)).toEqual({});
});

test("a new endpoint has the events or the fields of its format, and nothing that was left open", () => {
  expect(newEndpoint(given({ url: BEFORE.url, events: ["*"], enabled: "on" }))).toEqual({
    url: BEFORE.url,
    events: ["*"],
    description: null,
    ordered: false,
    enabled: true,
    rate_per_second: null,
  });
  expect(newEndpoint(given({ url: BEFORE.url, format: "provider", fields: ["messages"] }))).toMatchObject({
    format: "provider",
    fields: ["messages"],
    verify_token: null,
    enabled: false,
  });
});

test("headers are a line each; a value may have colons", () => {
  expect(headersIn(" Authorization: Bearer a:b \n\nX-Empty\n")).toEqual({ Authorization: "Bearer a:b", "X-Empty": "" });
});
