import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PHONE_PAIRS } from "../../testing/phone-pairs.ts";
import { comparePhones, countryWithoutRules, loosePhoneKey, PHONE_RULES_VERSION, phoneKey } from "./variants.ts";

describe.each(PHONE_PAIRS)("$what", ({ pairs }) => {
  test.each(pairs)("$verdict: $one $other, in both orders", ({ verdict, one, other }) => {
    expect([comparePhones(one, other), comparePhones(other, one)]).toEqual([verdict, verdict]);
  });
});

test("Brazil has 67 areas, and only in these do 8 and 9 digits meet", () => {
  const areas = Array.from({ length: 100 }, (_, area) => String(area).padStart(2, "0"));
  const met = areas.filter((area) => comparePhones(`55${area}81234567`, `55${area}981234567`) === "same");
  expect(met).toHaveLength(67);
  // No area ends in 0, and these were never given out.
  const free = ["23", "25", "26", "29", "36", "39", "52", "56", "57", "58", "59", "72", "76", "78"];
  expect(areas.filter((area) => !met.includes(area))).toEqual(
    areas.filter((area) => area.includes("0") || free.includes(area)),
  );
});

test("Vietnam's 21 mobile prefixes go to 21 others", () => {
  const old = Array.from({ length: 100 }, (_, prefix) => `84${100 + prefix}1234567`);
  const moved = old.filter((digits) => loosePhoneKey(digits) !== digits);
  expect(moved).toHaveLength(21);
  expect(new Set(moved.map((digits) => loosePhoneKey(digits))).size).toBe(21);
  expect(moved.every((digits) => /^84[3578]\d{8}$/.test(loosePhoneKey(digits)))).toBe(true);
});

test("the key is the form of today's numbering plan", () => {
  expect(phoneKey("553181234567")).toBe("5531981234567");
  expect(phoneKey("5508001234567")).toBe("558001234567");
  expect(phoneKey("5215512345678")).toBe("525512345678");
  expect(phoneKey("22997123456")).toBe("2290197123456");
  expect(phoneKey("5491112345678")).toBe("5491112345678");
  expect(PHONE_RULES_VERSION).toBe(1);
});

test("only by evidence is not transitive: one old Ivorian number may be any of three", () => {
  expect(comparePhones("2250777123456", "22577123456")).toBe("by_evidence");
  expect(comparePhones("22577123456", "2250577123456")).toBe("by_evidence");
  expect(comparePhones("2250777123456", "2250577123456")).toBe("different");
});

/** Numbers near the rules: their countries, the digits that the rules look at, lengths around theirs. */
const phones = fc
  .tuple(
    fc.constantFrom("55", "5511", "5531", "550800", "55800", "52", "521", "54", "549", "225", "2250", "2252", "229"),
    fc.constantFrom("", "01", "2", "5", "6", "7", "8", "9", "98", "1", "162", "60", "0"),
    fc.stringMatching(/^\d{6,10}$/),
  )
  .map((parts) => parts.join("").slice(0, 15));
const others = fc
  .tuple(fc.constantFrom("241", "84", "57", "39", "1", "7", "44", "242"), fc.stringMatching(/^\d{6,12}$/))
  .map((parts) => parts.join(""));
const anyPhone = fc.oneof({ weight: 3, arbitrary: phones }, others);

/** A number and one that differs from it by what forms differ by: an inserted or a deleted piece. */
const pairs = fc
  .tuple(anyPhone, fc.nat(6), fc.nat(2), fc.constantFrom("", "1", "9", "0", "01", "07", "27", "60", "6"))
  .map(([a, at, gone, piece]): [string, string] => [a, a.slice(0, at) + piece + a.slice(at + gone)]);
const anyPair = fc.oneof(pairs, fc.tuple(anyPhone, anyPhone));

const RUNS = { numRuns: 5000 };

test("keys are keys of themselves and keep the country", () => {
  fc.assert(
    fc.property(anyPhone, (digits) => {
      const key = phoneKey(digits);
      const loose = loosePhoneKey(digits);
      expect(phoneKey(key)).toBe(key);
      expect(loosePhoneKey(key)).toBe(loose);
      expect(loosePhoneKey(loose)).toBe(loose);
      const country = /^(?:1|7|39|44|52|54|55|57|84|\d{3})/.exec(digits)?.[0] ?? "";
      expect([key.startsWith(country), loose.startsWith(country)]).toEqual([true, true]);
      expect(key).toMatch(/^\d+$/);
    }),
    RUNS,
  );
});

test("the verdict is symmetric and reflexive, and numbers of one length are the same only when identical", () => {
  fc.assert(
    fc.property(anyPair, ([a, b]) => {
      const verdict = comparePhones(a, b);
      expect(comparePhones(b, a)).toBe(verdict);
      expect(comparePhones(a, a)).toBe("same");
      expect(a.length === b.length && verdict !== (a === b ? "same" : "different")).toBe(false);
      expect(verdict === "same" && loosePhoneKey(a) !== loosePhoneKey(b)).toBe(false);
      expect(verdict === "same").toBe(phoneKey(a) === phoneKey(b));
    }),
    RUNS,
  );
});

test("a country whose numbers have other forms has rules", () => {
  const numbers = PHONE_PAIRS.flatMap(({ pairs }) => pairs.flatMap(({ one, other }) => [one, other]));
  const changed = numbers.filter((digits) => loosePhoneKey(digits) !== digits);
  expect(changed.length).toBeGreaterThan(50);
  expect(changed.map(countryWithoutRules).filter((code) => code !== undefined)).toEqual([]);
  expect(["15551230001", "447911123456", "883123456789"].map(countryWithoutRules)).toEqual(["1", "44", undefined]);
});
