import { assert, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { newUuid } from "../../lib/ids.ts";
import { digitsOfUuid, uuidOfDigits } from "./digits.ts";

describe("the number of a media", () => {
  test("is its uuid, and becomes it again, at any time", () => {
    expect(digitsOfUuid("019ac7a5-7c00-7000-8000-000000000001")).toBe("2132891022533890995843813891729522689");
    assert(
      property(integer({ min: 1_600_000_000_000, max: 9_000_000_000_000 }), (at) => {
        const uuid = newUuid(at);
        const digits = digitsOfUuid(uuid);
        expect(digits).toMatch(/^[1-9]\d{35,37}$/);
        expect(uuidOfDigits(digits)).toBe(uuid);
      }),
    );
    expect(digitsOfUuid(newUuid(Date.UTC(2026, 10, 28)))).toHaveLength(37);
  });

  test.each([
    "",
    "0",
    "1234567890123456",
    `0${digitsOfUuid("019ac7a5-7c00-7000-8000-000000000001")}`,
    `${digitsOfUuid("019ac7a5-7c00-7000-8000-000000000001")} `,
    digitsOfUuid("019ac7a5-7c00-4000-8000-000000000001"),
    digitsOfUuid("019ac7a5-7c00-7000-0000-000000000001"),
    "9".repeat(39),
    "9".repeat(4_000),
    "med_01kb3tazg0e008000000000001",
    "019ac7a5-7c00-7000-8000-000000000001",
    "-12",
    "1e36",
    "２132893930281396391193164166408405001",
  ])("%j is none", (text) => {
    expect(uuidOfDigits(text)).toBeNull();
  });
});
