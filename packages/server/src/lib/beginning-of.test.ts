import { expect, test } from "vitest";
import { beginningOf } from "./beginning-of.ts";

test("a character is left out where it does not fit whole", () => {
  expect(beginningOf("abc", 3)).toBe("abc");
  expect(beginningOf("abcd", 3)).toBe("abc");
  for (let most = 1; most <= 10; most++) {
    const cut = beginningOf("😀👍🏽é🇩🇪x", most);
    expect(cut).not.toMatch(/\p{Surrogate}/u);
    expect(cut.length).toBeGreaterThanOrEqual(Math.min(most - 1, 10));
  }
  expect(beginningOf("a😀", 2)).toBe("a");
});
