import { describe, expect, test } from "vitest";
import { Problem } from "../problem.ts";
import { parseBody } from "./body.ts";

const problemOf = (run: () => unknown): Problem => {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("nothing was refused");
};
const parse = (text: string) => parseBody(Buffer.from(text));

describe("what PostgreSQL would refuse is refused at its place", () => {
  test.each([
    ['{"a":{"b":["x","\\u0000"]}}', "/a/b/1", "invalid_text"],
    ['{"a":"\\ud800"}', "/a", "invalid_text"],
    ['{"a":"\\udc00\\ud800"}', "/a", "invalid_text"],
    ['{"a":"\\uD83Dx"}', "/a", "invalid_text"],
    ['{"x":{"\\u0000":1}}', "/x", "invalid_text"],
    ['{"x/y":{"~":"\\u0000"}}', "/x~1y/~0", "invalid_text"],
    ['{"__proto__":{"a":1},"__proto__":{}}', "", "invalid_text"],
    ['{"\\u005f_proto__":1}', "", "invalid_text"],
    ['{"n":1e400}', "/n", "number_out_of_range"],
    ['{"n":-9007199254740993}', "/n", "number_out_of_range"],
    [`{"n":1${"0".repeat(400)}}`, "/n", "number_out_of_range"],
    ["[".repeat(33) + "]".repeat(33), "/0".repeat(32), "too_deep"],
    [`${'{"a":'.repeat(40)}1${"}".repeat(40)}`, "/a".repeat(32), "too_deep"],
  ])("%s", (text, pointer, code) => {
    const problem = problemOf(() => parse(text));
    expect(problem.code).toBe("invalid_request");
    expect(problem.extras.errors).toMatchObject([{ pointer, code }]);
  });

  test.each(['{"a":1', "", "nul", "{'a':1}", '{"a":"\u0000"}', '\ufeff{"a":1}', '{"a":01}'])("no JSON: %j", (text) => {
    const problem = problemOf(() => parse(text));
    expect(problem.code).toBe("invalid_json");
  });

  test("bytes that are no UTF-8, and surrogates written as bytes", () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
    ]) {
      expect(problemOf(() => parseBody(Buffer.from(bytes))).code).toBe("invalid_json");
    }
  });

  test("the refusal quotes nothing of the body", () => {
    expect(problemOf(() => parse('{"secret":"abc" x')).message).not.toMatch(/secret|abc/);
  });
});

test("what is allowed comes through whole", () => {
  expect(parse('{"a":"\\ud83d\\ude00 \\u00e9 \\\\u0000","n":9007199254740991,"constructor":{"prototype":1}}')).toEqual({
    a: "😀 é \\u0000",
    n: 9_007_199_254_740_991,
    constructor: { prototype: 1 },
  });
  const deepest = "[".repeat(32) + "]".repeat(32);
  expect(JSON.stringify(parse(deepest))).toBe(deepest);
});

test("a body of 256 KiB that nests, or is wide, is judged without delay", () => {
  expect(problemOf(() => parse("[".repeat(131_072) + "]".repeat(131_072))).extras.errors?.[0]?.code).toBe("too_deep");
  expect(parse(`[${"1,".repeat(131_000)}1]`)).toHaveLength(131_001);
});
