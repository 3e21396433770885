import { expect, test } from "vitest";
import { readKeywords, writeKeywords } from "./keywords.ts";

test("what is written is read back", () => {
  const keywords = { en: ["STOP", "UNSUBSCRIBE"], "pt-BR": ["PARAR"], ar: ["إيقاف"] };
  expect(readKeywords(writeKeywords(keywords))).toEqual(keywords);
});

test("blanks and empty words are nothing, a language twice is one, and no line is the defaults", () => {
  expect(readKeywords(" en : STOP , , END\n\nen: QUIT ")).toEqual({ en: ["STOP", "END", "QUIT"] });
  expect(readKeywords("  \n ")).toBeNull();
  expect(readKeywords("STOP")).toEqual({ STOP: [] });
});
