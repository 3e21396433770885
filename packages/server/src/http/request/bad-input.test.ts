import { describe, expect, test } from "vitest";
import { formatId } from "../../lib/ids.ts";
import { expectProblem, KEY, THING, useEcho } from "../testing/echo.ts";
import { WORKSPACE } from "../testing/server.ts";

const { ask, later, post, server } = useEcho();

describe("bad input", () => {
  test.each([
    ["malformed JSON", '{"text":', "invalid_json", undefined],
    ["no body", "", "invalid_request", ""],
    ["an unknown field", '{"text":"a","x/y":1}', "invalid_request", "/x~1y"],
    ["an unknown inner field", '{"text":"a","inner":{"a":1,"b":2}}', "invalid_request", "/inner/b"],
    ["a missing field", "{}", "invalid_request", "/text"],
    ["a number for a text", '{"text":1}', "invalid_request", "/text"],
    ["a text for a number", '{"text":"a","inner":{"a":"1"}}', "invalid_request", "/inner/a"],
    ["a text too long", `{"text":"${"x".repeat(21)}"}`, "invalid_request", "/text"],
    ["a time without offset", '{"text":"a","at":"2026-01-01T00:00:00"}', "invalid_request", "/at"],
    ["a day that is none", '{"text":"a","at":"2026-02-30T00:00:00Z"}', "invalid_request", "/at"],
    ["NUL in free content", '{"text":"a","free":{"b":["\\u0000"]}}', "invalid_request", "/free/b/0"],
    ["an array", "[]", "invalid_request", ""],
    ["null", "null", "invalid_request", ""],
  ])("%s", async (_name, body, code, pointer) => {
    expectProblem(await post(body), 400, code, pointer);
    expect(later).toMatchObject([{ workspaceId: WORKSPACE, action: "thing.make", response: { status: 400, code } }]);
  });

  test("free content passes through unchanged", async () => {
    const sent = { text: "é😀", free: { b: [{ c: null }], toString: 1 } };
    expect((await post(JSON.stringify(sent))).body.seen).toEqual(sent);
  });

  test("300 KiB is 413, before and while it is read", async () => {
    const large = `{"text":"${"x".repeat(300 * 1024)}"}`;
    expectProblem(await post(large), 413, "payload_too_large");
    expectProblem(await ask("/raw", { method: "POST", body: "x".repeat(1_001) }), 413, "payload_too_large");
  });

  test.each([
    "text/plain",
    "application/json; charset=latin1",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "nonsense",
  ])("content type %s is 415", async (type) => {
    expectProblem(await post('{"text":"a"}', { "content-type": type }), 415, "unsupported_media_type");
  });

  test("a compressed body is 415, a body without a type too", async () => {
    expectProblem(await post('{"text":"a"}', { "content-encoding": "gzip" }), 415, "unsupported_media_type");
    const bare = await server.http.inject({
      method: "POST",
      url: "/v1/things",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "" },
      payload: "x",
    });
    expect(bare.statusCode).toBe(415);
  });

  test.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])(
    "content type %s is read",
    async (type) => {
      expect((await post('{"text":"a"}', { "content-type": type })).status).toBe(202);
    },
  );

  test("query: unknown names, wrong types and limits out of range", async () => {
    for (const [query, pointer] of [
      ["nope=1", "?nope"],
      ["limit=0", "?limit"],
      ["limit=101", "?limit"],
      ["limit=ten", "?limit"],
      ["limit=1e1", "?limit"],
      ["limit=2.5", "?limit"],
      ["open=1", "?open"],
      ["limit=1&limit=2", "?limit"],
      ["name=%00", "?"],
    ] as const) {
      expectProblem(await ask(`/v1/things?${query}`), 400, "invalid_request", pointer);
    }
    expectProblem(await ask("/v1/things?__proto__=1"), 400, "invalid_request");
    expect((await ask("/v1/things?limit=7&open=true&tag=a&name=5")).body).toEqual({
      limit: 7,
      open: true,
      tag: ["a"],
      name: "5",
    });
    expect((await ask("/v1/things?tag=a&tag=b")).body).toEqual({ limit: 25, tag: ["a", "b"] });
  });

  test("a time says in words what it lacks, in a query also how its + is written", async () => {
    const inBody = "must be a time with `T` and an offset, such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00+01:00";
    for (const at of ["2026-01-31 09:30:00Z", "2026-01-31T09:30:00", "2026-01-31T09:30:00 00:00", "today"]) {
      const { body } = await post(JSON.stringify({ text: "a", at }));
      expect(body.errors[0].detail).toBe(`${inBody}, without spaces`);
      const inQuery = await ask(`/v1/things?since=${encodeURIComponent(at)}`);
      expectProblem(inQuery, 400, "invalid_request", "?since");
      expect(inQuery.body.detail).toContain("write the `+` of an offset as `%2B`");
      expect(inQuery.text).not.toContain("\\\\d");
    }
    expectProblem(await ask("/v1/things?since=2026-01-31T09:30:00+00:00"), 400, "invalid_request", "?since");
    expect((await ask("/v1/things?since=2026-01-31T09:30:00%2B00:00")).status).toBe(200);
  });

  test("a byte order mark ahead of a body is none of it", async () => {
    expect((await post('\ufeff{"text":"a"}')).body.seen).toEqual({ text: "a" });
    expectProblem(await post('\ufeff\ufeff{"text":"a"}'), 400, "invalid_json");
    expectProblem(await post('{\ufeff"text":"a"}'), 400, "invalid_json");
    expectProblem(await post("\ufeff"), 400, "invalid_json");
    expectProblem(await post(Buffer.from('\ufeff{"text":"a"}', "utf16le")), 400, "invalid_json");
  });

  test("bytes that decode to a lone surrogate never become one", async () => {
    const answer = await ask("/v1/things?name=%ED%A0%80");
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status: 200, name: "%ED%A0%80" });
    expectProblem(await ask("/v1/things/%ED%A0%80"), 400, "invalid_request");
  });

  test("paths: wrong prefix and unknown are 404, what cannot be decoded 400", async () => {
    expectProblem(await ask(`/v1/things/${formatId("msg", WORKSPACE)}`), 404, "not_found");
    expectProblem(await ask("/v1/nothing"), 404, "not_found");
    expectProblem(await ask("/v1/things/%zz"), 400, "invalid_request");
    expectProblem(await ask(`/v1/things/${"x".repeat(300)}`), 400, "invalid_request");
    expectProblem(await ask("/v1/things/%00"), 400, "invalid_request");
    expect((await ask(`/v1/things/${THING}`)).body).toEqual({ id: THING, name: null });
  });

  test("an id that is empty is 404, whatever the method", async () => {
    for (const method of ["GET", "POST", "DELETE", "PATCH"] as const)
      expectProblem(await ask("/v1/things/", { method }), 404, "not_found");
    expectProblem(await ask("/v1/things//", { method: "POST" }), 404, "not_found");
    expectProblem(await ask("//v1/things", { method: "POST" }), 404, "not_found");
  });

  test("a method that the path does not take is 405 with Allow", async () => {
    const answer = await ask("/v1/things", { method: "PATCH", body: "{" });
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers["allow"]).toBe("POST, GET, HEAD");
  });

  test("a path without a body takes an empty one and no other", async () => {
    expect((await ask(`/v1/things/${THING}`, { method: "DELETE", body: "{}" })).status).toBe(204);
    expectProblem(await ask(`/v1/things/${THING}`, { method: "DELETE", body: '{"a":1}' }), 400, "invalid_request");
    const gone = await ask(`/v1/things/${THING}`, { method: "DELETE" });
    expect([gone.status, gone.text, gone.headers["content-type"]]).toEqual([204, "", undefined]);
  });
});
