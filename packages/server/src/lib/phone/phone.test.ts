import * as fc from "fast-check";
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, test } from "vitest";
import { parsePhone, phoneOfProvider } from "./phone.ts";
import { whyNoPhone } from "./phone-text.ts";

describe("trunk prefixes and separators are dropped", () => {
  test.each([
    ["+44 (0)20 7946 0123", "+442079460123"],
    ["(+44) (0) 20-7946.0123", "+442079460123"],
    ["+4402079460123", "+442079460123"],
    ["  +44\u00a020\u20097946\u20110123 ", "+442079460123"],
    ["+49 0151 12345678", "+4915112345678"],
    ["+49 (0151) 12345678", "+4915112345678"],
    ["+43 (0)1 12345678", "+43112345678"],
    ["+20 010 0123 4567", "+201001234567"],
    ["+961 03 123456", "+9613123456"],
    ["+98 0912 345 6789", "+989123456789"],
    ["+598 099 123 456", "+59899123456"],
    ["+58 0412 123 4567", "+584121234567"],
    ["+84 0168 123 4567", "+841681234567"],
    ["+36 06 30 123 4567", "+36301234567"],
    ["+7 8 916 123 45 67", "+79161234567"],
    ["+1 1 202 555 0123", "+12025550123"],
    ["+55 0800 123 4567", "+558001234567"],
    ["+55 0 15 21 98123-4567", "+5521981234567"],
    ["+55 (0)11 98123-4567", "+5511981234567"],
    // No trunk prefix exists in these countries; people write the brackets all the same.
    ["+420 (0)601 123 456", "+420601123456"],
    ["+34 (0)912 345 678", "+34912345678"],
    ["+52 044 55 1234 5678", "+525512345678"],
    ["+52 045 55 1234 5678", "+525512345678"],
    ["+52 01 55 1234 5678", "+525512345678"],
    ["+241 066 12 34 56", "+24166123456"],
    ["+241 06 12 34 56", "+2416123456"],
    ["+241 (0)11 71 23 45", "+24111712345"],
  ])("%s is %s", (text, phone) => {
    expect(parsePhone(text)).toBe(phone);
  });
});

describe("what is copied or typed along with a number is dropped", () => {
  const good = "+12025550123";
  const marks =
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202d\u202e\u2060\u2066\u2069\ufeff\u00ad\u061c\u034f\ufe0e\ufe0f\u{e0020}\u3164";

  test.each(Array.from(marks))("%j around and inside", (mark) => {
    expect(parsePhone(`${mark}${good}${mark}`)).toBe(good);
    expect(parsePhone(good.split("").join(mark))).toBe(good);
    expect(parsePhone(`${mark} +${mark}1 (202)${mark} 555-0123`)).toBe(good);
    expect(phoneOfProvider(`${mark}12025550123${mark}`)).toBe("12025550123");
  });

  test.each([
    ["\u202a+1\u00a0(202)\u00a0555\u20110123\u202c", good],
    ["\u2066+44 (0)20 7946 0123\u2069", "+442079460123"],
    ["+1\u202f202\u2007555\u30000123", good],
    ["+1 202\u2212555\u22120123", good],
    ["+1.202.555.0123", good],
    ["+49 30/1234567", "+49301234567"],
    ["+49 (0)30/123 45 67", "+49301234567"],
    ["+49/30/1234567", "+49301234567"],
    ["+1/202/555-0123", good],
    ["+32 2/123.45.67", "+3221234567"],
    ["+43 1/12345678", "+43112345678"],
    ["＋１２０２５５５０１２３", good],
    ["＋４９（０）３０／１２３４５６７", "+49301234567"],
    ["+٩٦٦٥٠١٢٣٤٥٦٧", "+966501234567"],
    ["+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹", "+989123456789"],
    ["+९१ ९८७६५ ४३२१०", "+919876543210"],
    ["tel:+1-202-555-0123", good],
    ["TEL: +12025550123", good],
    ["\ttel:+12025550123\n", good],
  ])("%j is %s", (text, phone) => {
    expect(parsePhone(text)).toBe(phone);
  });
});

test.each([
  ["12025550123", "it does not begin with `+`"],
  ["0044 20 7946 0123", "it begins with `00` in place of `+`"],
  ["", "it does not begin with `+`"],
  ["+1202555\n0123", "it has U+000A, which cannot be seen"],
  ["+1202555\u20280123", "it has U+2028, which cannot be seen"],
  ["+1202555\ue0000123", "it has U+E000, which cannot be seen"],
  ["+1202555\ud83d0123", "it has U+D83D, which cannot be seen"],
  ["+1 202 555 0123 x12", "it has `x` (U+0078)"],
  ["+12025550123, +12025550124", "it has `,` (U+002C)"],
  ["+12025550123 +12025550124", "it has more than one `+`"],
  ["+0442079460123", "no country code begins with 0"],
  ["+1555", "it has 4 digits, and a number has 8 to 15"],
  ["+12345678901234567", "it has 17 digits, and a number has 8 to 15"],
  ["+999 1234 5678", "there is no such country code"],
  ["+49 30 1234567/68", "a `/` can stand only behind the area code"],
  ["+1 555 123 00011", "with country code +1 there is no such number"],
  [`+1${" ".repeat(70)}2025550123`, "it is longer than 64 characters"],
])("%j is refused because %s", (text, why) => {
  expect(parsePhone(text)).toBeNull();
  expect(whyNoPhone(text)).toBe(why);
});

describe("Argentina's 15 becomes a 9 before the area, whatever else is written", () => {
  test.each([
    ["+54 11 15-1234-5678", "+5491112345678"],
    ["+54 011 15-1234-5678", "+5491112345678"],
    ["+54 9 11 15 1234 5678", "+5491112345678"],
    ["+54 9 011 15 1234 5678", "+5491112345678"],
    ["+54 351 15 123 4567", "+5493511234567"],
    ["+54 9 351 15 123 4567", "+5493511234567"],
    ["+54 (0351) 15 123 4567", "+5493511234567"],
    ["+54 9 (0)351 123 4567", "+5493511234567"],
    ["+54 2964 15 412345", "+5492964412345"],
    ["+54 02964 15 412345", "+5492964412345"],
    ["+54 0351 412 3456", "+543514123456"],
    // Ten digits are a number: a 15 within them is part of it.
    ["+54 351 151 2345", "+543511512345"],
    ["+54 9 11 1512 3456", "+5491115123456"],
  ])("%s is %s", (text, phone) => {
    expect(parsePhone(text)).toBe(phone);
  });

  test("a 15 after digits that are no area is not one", () => {
    expect(parsePhone("+54 222 15 1234567")).toBeNull();
    expect(parsePhone("+54 9 111 15 1234567")).toBeNull();
  });
});

describe("a zero that belongs to the number stays", () => {
  test.each([
    ["+39 06 1234 5678", "+390612345678"],
    ["+39 (0)6 1234 5678", "+390612345678"],
    ["+378 0549 912345", "+3780549912345"],
    ["+378 (0)549 912345", "+3780549912345"],
    ["+225 07 77 12 34 56", "+2250777123456"],
    ["+225 (0)7 77 12 34 56", "+2250777123456"],
    ["+229 01 97 12 34 56", "+2290197123456"],
    ["+229 (0)1 97 12 34 56", "+2290197123456"],
    ["+242 06 123 4567", "+242061234567"],
    ["+242 (0)6 123 4567", "+242061234567"],
    ["+226 (0)1 23 45 67", "+22601234567"],
  ])("%s is %s", (text, phone) => {
    expect(parsePhone(text)).toBe(phone);
  });
});

test.each([
  "+5215512345678",
  "+525512345678",
  "+5491112345678",
  "+541112345678",
  "+543511234567",
  "+553181234567",
  "+5531981234567",
  "+551133334444",
  "+558001234567",
  "+22577123456",
  "+22505123456",
  "+22520212345",
  "+2250777123456",
  "+22997123456",
  "+22985123456",
  "+2290197123456",
  "+2416123456",
  "+24166123456",
  "+841681234567",
  "+5712345678",
  "+9613123456",
  "+15551230001",
  "+77161234567",
  "+4915112345678",
  "+883510001234567",
])("%s stays as it is: the provider uses it, or it is possible though not known as valid", (phone) => {
  expect(parsePhone(phone)).toBe(phone);
});

test.each([
  ["no +", "8 916 123-45-67"],
  ["no +", "00442079460123"],
  ["no +", "15551230001"],
  ["nothing", ""],
  ["nothing", "+"],
  ["too short", "+1555123"],
  ["too short for the country", "+1 555 123 000"],
  ["too long for the country", "+1 555 123 00011"],
  ["too long for any", "+4915112345678901234"],
  ["too long for any without its zero", "+49 (0)151 12345678901"],
  ["too short without its zero", "+683 (0)4002"],
  ["no such calling code", "+999 1234 5678"],
  ["no such calling code", "+210 1234 5678"],
  ["first digit 0", "+0442079460123"],
  ["a zero that is no trunk prefix", "+1 0 202 555 0123"],
  ["two trunk prefixes", "+49 00 151 12345678"],
  ["a zero is missing", "+242 6 123 4567"],
  ["no old number started with 1", "+225 10 12 34 56"],
  ["14 digits that fit no plan", "+12345678901234"],
  ["15 digits that fit no plan", "+123456789012345"],
  ["letters", "+1 800 FLOWERS"],
  ["an extension", "+1 202 555 0123 x12"],
  ["a line feed between digits", "+1202555\n0123"],
  ["a tab between digits", "+1202555\t0123"],
  ["a zero byte", "+12025550123\0"],
  ["a second plus", "+12025550123+12025550124"],
  ["two numbers", "+12025550123, +12025550124"],
  ["another ending behind a slash", "+49 30 1234567/68"],
  ["a second number behind a slash", "+49 30 12345/12346"],
  ["another ending behind a slash", "+49 30/12345/67"],
  ["parameters of a scheme", "tel:+12025550123;ext=12"],
  ["a scheme without its +", "tel:12025550123"],
  ["raised digits", "+4930123456\u00b9\u00b2"],
  ["nothing but marks", "\u200b\u200e\ufeff"],
  ["no +, with marks", "\u202a12025550123\u202c"],
  ["an endless text of marks", `+1${"\u200b".repeat(100_000)}202555012345`],
  ["an endless text", `+44${" ".repeat(100_000)}2079460123`],
])("%s is refused: %j", (_reason, text) => {
  expect(parsePhone(text)).toBeNull();
});

describe("ids of the provider", () => {
  test.each([
    ["15551230001", "15551230001"],
    ["+15551230001", "15551230001"],
    ["5215512345678", "5215512345678"],
    ["5508001234567", "5508001234567"],
    ["22577123456", "22577123456"],
    // The provider once echoed an address with 15 as it was written.
    ["54111512345678", "54111512345678"],
    ["491511234567890", "491511234567890"],
  ])("%s is the phone %s", (text, digits) => {
    expect(phoneOfProvider(text)).toBe(digits);
  });

  test.each([
    null,
    "",
    "+",
    "null",
    "US.13491208655302741918",
    "120363041234567890",
    "4915112345678-1612345678",
    "12345678901234@lid",
    "12345678901234",
    "123456789012345",
    "15551230001@s.whatsapp.net",
    "1555123",
    "05551230001",
    " 15551230001",
    "15551230001\n",
    "٩٦٦٥٠١٢٣٤٥٦٧",
  ])("%j is none", (text) => {
    expect(phoneOfProvider(text)).toBeNull();
  });
});

const RUNS = { numRuns: 4000 };
const callingCodes = fc.constantFrom(...new Set(getCountries().map((country) => getCountryCallingCode(country))));
const plain = fc
  .tuple(
    callingCodes,
    fc.constantFrom("", "0", "00", "8", "06", "15", "1115", "045", "90"),
    fc.stringMatching(/^\d{4,12}$/),
  )
  .map((parts) => `+${parts.join("")}`);
const spaced = plain.map((text) => text.replace(/(\d)(\d{3})/g, "$1 ($2)-"));
const bracketed = plain.map((text) => text.replace(/^(\+\d\d)/, "$1 (0)"));

test("every number is the same with marks anywhere in it", () => {
  const marks = fc.constantFrom("\u200b", "\u202a", "\u2069", "\ufeff", "\u00ad", "\ufe0f", "");
  fc.assert(
    fc.property(fc.oneof(plain, spaced, bracketed), fc.infiniteStream(marks), (text, stream) => {
      const marked = Array.from(text, (sign) => `${stream.next().value}${sign}`).join("");
      expect(parsePhone(marked)).toBe(parsePhone(text));
    }),
    { numRuns: 500 },
  );
});

test("what comes out is E.164 of the same country and comes out again as it is", () => {
  fc.assert(
    fc.property(fc.oneof(plain, spaced, bracketed, fc.string()), (text) => {
      const phone = parsePhone(text);
      if (phone === null) return;
      expect(phone).toMatch(/^\+[1-9]\d{7,14}$/);
      expect(parsePhone(phone)).toBe(phone);
      const callingCodeOf = (number: string) => parsePhoneNumberFromString(number)?.countryCallingCode;
      expect(callingCodeOf(phone)).toBe(callingCodeOf(`+${text.replace(/\D/g, "")}`));
    }),
    RUNS,
  );
});

/** Countries with rules of our own: the provider's forms and prefixes that libphonenumber does not know. */
const OWN_RULES = /^\+(?:52|54|55|225|229|241)/;

test("elsewhere a number that libphonenumber leaves as it is comes out exactly if it is possible", () => {
  fc.assert(
    fc.property(plain, (text) => {
      const parsed = parsePhoneNumberFromString(text);
      fc.pre(!OWN_RULES.test(text) && /^\+[1-9]\d{7,14}$/.test(text));
      const asWritten = parsed?.number === text && parsed.isPossible() ? text : null;
      const readings = !parsed || parsed.number === text ? [asWritten] : [text, parsed.number, null];
      expect(readings).toContain(parsePhone(text));
    }),
    RUNS,
  );
});
