import { describe, expect, it } from "vitest";
import { placed, requireKnown, withoutDropped } from "./given.ts";

describe("parameters that are never passed on", () => {
  it.each([
    "access_token",
    "appsecret_proof",
    "method",
    "ids",
    "batch",
    "Access_Token",
    " access_token ",
    "access_token[]",
    "access_token[0][a]",
    "access.token",
    "access token",
    "access%5Ftoken",
    "%61ccess_token",
    "access%255Ftoken",
    "access%5Ftoken%5B%5D",
    "ids[]",
    "METHOD",
    "callback",
    "input_token",
    "suppress_http_code",
    "__proto__",
    "access_token[%",
  ])("%j, at every depth", (name) => {
    const given = JSON.parse(`{"a":[{"b":{${JSON.stringify(name)}:"x","c":1}}],${JSON.stringify(name)}:"y","d":null}`);
    expect(JSON.stringify(withoutDropped(given))).toBe('{"a":[{"b":{"c":1}}],"d":null}');
  });

  it("are not others that look alike, nor values", () => {
    const given = { method_of: 1, flow_ids: ["a"], template_ids: "1,2", flow_json: '{"method":"x"}', ids_: 1 };
    expect(withoutDropped(given)).toEqual(given);
  });

  it("end at a depth that no content has", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 40; level++) deep = { a: deep };
    expect(() => withoutDropped({ deep })).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

it("a parameter that a call does not have is refused by its name", () => {
  expect(() => requireKnown({ a: 1, b: 2 }, ["a", "b"])).not.toThrow();
  expect(() => requireKnown({ a: 1, override_callback_uri: "https://x" }, ["a"])).toThrow('"override_callback_uri"');
});

describe("where parameters stand", () => {
  it("is the query for a read, with lists as JSON", () => {
    const values = { fields: "id", limit: 5, is: true, list: ["a"], none: null };
    expect(placed("GET", values)).toEqual({
      query: { fields: "id", limit: "5", is: "true", list: '["a"]' },
      body: null,
    });
  });

  it("is JSON for a change, as given; a change without any has no body", () => {
    expect(placed("POST", { a: 1, b: null, c: ["x"] })).toEqual({
      query: {},
      body: { kind: "json", value: { a: 1, c: ["x"] } },
    });
    expect(placed("POST", {})).toEqual({ query: {}, body: null });
  });

  it("is the query for a removal, and JSON for one with lists", () => {
    expect(placed("DELETE", { code: "A" })).toEqual({ query: { code: "A" }, body: null });
    const value = { messaging_product: "whatsapp", block_users: [{ user: "1" }] };
    expect(placed("DELETE", value)).toEqual({ query: {}, body: { kind: "json", value } });
  });

  it("is a form where there is a file", () => {
    const file = { name: "flow.json", type: "application/json", bytes: Buffer.from("{}") };
    expect(placed("POST", { asset_type: "FLOW_JSON", size: 3 }, [{ name: "file", file }]).body).toEqual({
      kind: "form",
      parts: [
        { name: "asset_type", value: "FLOW_JSON" },
        { name: "size", value: "3" },
        { name: "file", file },
      ],
    });
  });
});
