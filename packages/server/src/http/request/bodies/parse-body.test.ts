import { describe, expect, test } from "vitest";
import { cpuMsOf } from "../../../testing/cpu-time.ts";
import { Problem } from "../../problem.ts";
import { parseBody } from "./parse-body.ts";

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

  test.each(['{"a":1', "", "nul", "{'a':1}", '{"a":"\u0000"}', '{"a":01}'])("no JSON: %j", (text) => {
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

describe("a list whose items are refused one by one", () => {
  const judge = (text: string) => {
    const refused: [number, string | undefined, string | undefined][] = [];
    const refuseItem = (index: number, problem: Problem): void => {
      const [error] = problem.extras.errors ?? [];
      refused.push([index, error?.pointer, error?.code]);
    };
    return { value: parseBody(Buffer.from(text), { eachOf: "rows", refuseItem }), refused };
  };
  const deep = "[".repeat(31) + "]".repeat(31);

  test("has the faults of its items, each with its place in the item", () => {
    const rows = [
      '{"a":"\\ud83d"}',
      '{"a":"b"}',
      '{"a":["\\u0000"]}',
      `{"a":${deep}}`,
      '{"\\u0000":1}',
      '"\\udc00"',
      '{"n":1e400}',
    ];
    expect(judge(`{"rows":[${rows.join(",")}],"x":1}`).refused).toEqual([
      [0, "/a", "invalid_text"],
      [2, "/a/0", "invalid_text"],
      [3, `/a${"/0".repeat(29)}`, "too_deep"],
      [4, "", "invalid_text"],
      [5, "", "invalid_text"],
      [6, "/n", "number_out_of_range"],
    ]);
  });

  test("keeps of an item that is too deep what tells two bodies apart, and nothing to walk through", () => {
    const endless = (name: string): string => `{"rows":[{"${name}":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`;
    const [one, other] = [judge(endless("a")).value, judge(endless("b")).value];
    expect(JSON.stringify(one).length).toBeLessThan(200);
    expect(one).not.toEqual(other);
    expect(judge(endless("a")).value).toEqual(one);
  });

  test("costs little where all items are wrong, however large the body is", () => {
    const all = (row: string, count: number): string =>
      `{"rows":[${Array.from({ length: count }, () => row).join(",")}]`;
    const took = cpuMsOf(() => {
      const manyDeep = judge(`${all("[".repeat(40) + "]".repeat(40), 1_000)},"x":"${"x".repeat(4_000_000)}"}`);
      expect([manyDeep.refused.length, manyDeep.refused[999]?.[2]]).toEqual([1_000, "too_deep"]);
      // Too long for its schema, which refuses it for that.
      const tooMany = problemOf(() => judge(`${all('"\\u0000"', 400_000)}}`));
      expect(tooMany.extras.errors).toMatchObject([{ pointer: "/rows/0", code: "invalid_text" }]);
    });
    expect(took).toBeLessThan(2_000);
  });

  test("does not excuse what is wrong elsewhere", () => {
    for (const text of [
      '{"rows":[],"x":"\\u0000"}',
      '{"rows":{"0":"\\u0000"}}',
      '{"rows":"\\u0000"}',
      '["\\u0000"]',
      '{"\\u0000":1,"rows":[]}',
    ])
      expect(problemOf(() => judge(text)).code).toBe("invalid_request");
    expect(judge('{"rows":[1,null]}')).toEqual({ value: { rows: [1, null] }, refused: [] });
    expect(judge("null")).toEqual({ value: null, refused: [] });
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

test("a body of 4 MiB of brackets is refused before it is parsed, and brackets in texts do not count", () => {
  const many = [
    "[".repeat(2_000_000) + "]".repeat(2_000_000),
    `[${'{"a":[]},'.repeat(400_000)}1]`,
    "{[".repeat(2_000_000),
  ];
  const took = cpuMsOf(() => {
    for (const text of many)
      expect(problemOf(() => parse(text)).extras.errors).toMatchObject([{ pointer: "", code: "too_many" }]);
  });
  expect(took).toBeLessThan(2_000);
  for (const text of ["[".repeat(300_000), '\\"{['.repeat(100_000), `${"\\\\".repeat(100_000)}[{`])
    expect(parse(JSON.stringify([text]))).toEqual([text]);
});

test("a body of 256 KiB that nests, or is wide, is judged without delay", () => {
  expect(problemOf(() => parse("[".repeat(131_072) + "]".repeat(131_072))).extras.errors?.[0]?.code).toBe("too_deep");
  expect(parse(`[${"1,".repeat(131_000)}1]`)).toHaveLength(131_001);
});
