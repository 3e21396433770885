import { expect, test } from "vitest";
import { attributeChanges, attributeLines } from "./attributes.ts";

const BEFORE = { city: "Recife", orders: 3, vip: true, code: "007", zip: "12", note: 'a "b" = c' };

test("lines that nobody edited change nothing, whatever the values are", () => {
  expect(attributeLines(BEFORE)).toBe(
    'city = Recife\norders = 3\nvip = true\ncode = 007\nzip = "12"\nnote = a "b" = c',
  );
  expect(attributeChanges(attributeLines(BEFORE), BEFORE)).toEqual({});
});

test("what is new, other or gone is changed", () => {
  expect(attributeChanges("city = Olinda\norders = 4\n\nvip = true\nzip = 12\nnew", BEFORE)).toEqual({
    city: "Olinda",
    orders: 4,
    zip: 12,
    new: "",
    code: null,
    note: null,
  });
});
