import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseProviderJson } from "./json.ts";

test.each([
  ['{"id":9223372036854775807}', { id: "9223372036854775807" }],
  ['{"id":-9223372036854775808}', { id: "-9223372036854775808" }],
  ['{"id":9007199254740991,"b":9007199254740992}', { id: 9007199254740991, b: "9007199254740992" }],
  [
    '[1689556908129832,"12345678901234567890",1.2345678901234567e5]',
    [1689556908129832, "12345678901234567890", 123456.78901234567],
  ],
  ['{"a":"id\\":12345678901234567890","b":"\\\\"}', { a: 'id":12345678901234567890', b: "\\" }],
  ["12345678901234567890", "12345678901234567890"],
])("%s loses no digit", (text, value) => {
  expect(parseProviderJson(text)).toEqual({ ok: true, value });
});

test.each([
  ['{"a":"x\\u0000y"}', { a: "x\ufffdy" }],
  ['{"a":"\\ud83d\\ude42"}', { a: "🙂" }],
  ['{"a\\u0000":["\\ud83d",{"b":"\\udE42!"}]}', { "a\ufffd": ["\ufffd", { b: "\ufffd!" }] }],
])("%s comes out as text that PostgreSQL takes", (text, value) => {
  expect(parseProviderJson(text)).toEqual({ ok: true, value });
});

test("a key named __proto__ stays a key", () => {
  const parsed = parseProviderJson('{"__proto__":{"polluted":"\\u0000"}}');
  expect(parsed.ok && Object.getPrototypeOf(parsed.value)).toBe(Object.prototype);
});

test.each(["", "{", '{"a":012345678901234567890}', "nul", '"\\', '{"a":1-2}', "-"])("%s is no JSON", (text) => {
  expect(parseProviderJson(text)).toEqual({ ok: false, tooDeep: false });
});

test("deep nesting is refused before anything recurses into it", () => {
  expect(parseProviderJson("[".repeat(3_000_000))).toEqual({ ok: false, tooDeep: true });
  expect(parseProviderJson('"[[["'.repeat(1)).ok).toBe(true);
});

test("for JSON without awkward parts it is JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/\\u|\d{15}/.test(text) && !text.includes("\\u"));
      const parsed = parseProviderJson(text);
      expect(parsed).toEqual(parsed.ok ? { ok: true, value: JSON.parse(text) } : { ok: false, tooDeep: true });
    }),
  );
});

test("every big integer survives anywhere", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 100n }), fc.string(), (id, text) => {
      const parsed = parseProviderJson(`{"a":${JSON.stringify(text)},"id":${id},"l":[${id}]}`);
      expect(parsed).toMatchObject({ ok: true, value: { id: String(id), l: [String(id)] } });
    }),
  );
});
