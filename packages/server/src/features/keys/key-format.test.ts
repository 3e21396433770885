import { describe, expect, it } from "vitest";
import { digestOfKey, isKeyText, newKeyText } from "./key-format.ts";

describe("the text of a key", () => {
  it("has the published form, and a hint that is not enough to use it", () => {
    const { text, hint } = newKeyText();
    expect(text).toMatch(/^wp_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(text.slice(8, 20)).toBe(hint);
    expect(isKeyText(text)).toBe(true);
    expect(isKeyText(`wp_live_${hint}`)).toBe(false);
  });

  it("ends in the CRC-32 of what precedes, so that others can check it too", () => {
    const unchecked = `wp_live_${"0".repeat(12)}_${"0".repeat(43)}`;
    expect(isKeyText(`${unchecked}${base62(crcOf(unchecked))}`)).toBe(true);
  });

  it("detects every single wrong, missing or swapped character without the database", () => {
    const { text } = newKeyText();
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === "a" ? "b" : "a";
      expect(isKeyText(text.slice(0, i) + other + text.slice(i + 1))).toBe(false);
      expect(isKeyText(text.slice(0, i) + text.slice(i + 1))).toBe(false);
      const swapped = text.slice(0, i) + (text[i + 1] ?? "") + (text[i] ?? "") + text.slice(i + 2);
      expect(isKeyText(swapped)).toBe(swapped === text);
    }
    for (const odd of ["", " ", `${text} `, `${text}0`, text.toUpperCase(), "x".repeat(10_000)])
      expect(isKeyText(odd)).toBe(false);
  });

  it("is new each time, in characters that are all as likely", () => {
    const counts = new Map<string, number>();
    const texts = new Set<string>();
    for (let i = 0; i < 3_000; i++) {
      const { text } = newKeyText();
      texts.add(text);
      expect(isKeyText(text)).toBe(true);
      for (const character of text.slice(21, 64)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(texts.size).toBe(3_000);
    expect(counts.size).toBe(62);
    // 129,000 draws of 62: 2,081 each; nine standard deviations (45) are never left by chance.
    for (const count of counts.values()) expect(Math.abs(count - 2_081)).toBeLessThan(405);
  });

  it("is stored as its SHA-256", () => {
    expect(digestOfKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

/** CRC-32 (IEEE 802.3) bit by bit, independent of zlib. */
function crcOf(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(number: number): string {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let rest = BigInt(number);
  let out = "";
  for (let i = 0; i < 6; i++) {
    out = alphabet.charAt(Number(rest % 62n)) + out;
    rest /= 62n;
  }
  return out;
}
