import fc from "fast-check";
import { expect, test } from "vitest";
import { active, csvLine, inactive } from "./csv.ts";

test("cells are quoted where they must be, and end the line as RFC 4180 says", () => {
  expect(csvLine(["a", 'say "x"', "1,2", "two\nlines", null, undefined, 3, true, { b: [1] }])).toBe(
    'a,"say ""x""","1,2","two\nlines",,,3,true,"{""b"":[1]}"\r\n',
  );
});

test.each(["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "\rx", "'=1", "''@x", "+", "- 5"])(
  "%j is no formula any more",
  (text) => {
    expect(inactive(text)).toBe(`'${text}`);
    expect(active(inactive(text))).toBe(text);
  },
);

test.each(["+15551230001", "-5", "+1.5", "it's", "'quoted'", "", "a=b", "5-3"])("%j stays as it is", (text) => {
  expect(inactive(text)).toBe(text);
  expect(active(text)).toBe(text);
});

test("any text comes back", () => {
  const cell = fc.string({ unit: fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "1", ".", "a") });
  fc.assert(
    fc.property(cell, (text) => {
      expect(active(inactive(text))).toBe(text);
    }),
  );
});
