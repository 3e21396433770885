import { expect, test } from "vitest";
import { hasNothing } from "./has-nothing.ts";

const page = (data: readonly unknown[], nextCursor: string | null = null) => ({ data, nextCursor });

test.each([
  ["no answer yet", undefined, false, undefined, false],
  ["no row", page([]), false, undefined, true],
  ["a row", page([{}]), false, undefined, false],
  ["no row of the question before", page([]), true, undefined, false],
  ["no row on a later page", page([]), false, "later", false],
  ["no row on a page that another follows", page([], "next"), false, undefined, false],
] as const)("%s", (_, data, isPlaceholderData, cursor, nothing) => {
  expect(hasNothing({ data, isPlaceholderData }, cursor)).toBe(nothing);
});
