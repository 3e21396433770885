import { DEFAULT_OPT_IN, DEFAULT_OPT_OUT, type Keywords } from "./default-keywords.ts";

export type Consent = "opted_out" | "opted_in";
/** What a default keyword means: `resumed` ends an opt-out, and changes nothing for a person who is not opted out. */
export type DefaultConsent = "opted_out" | "resumed";

/** Of a keyword, in code points; whatever folds to more is none. */
export const LONGEST_KEYWORD = 50;
/** More of a message is not looked at: a keyword with much around it is a sentence. */
const LONGEST_TEXT = 256;

const SURROUNDINGS = "[\\p{P}\\p{S}\\p{Z}\\p{C}\\ufe0f]+";
const SURROUNDING = new RegExp(`^${SURROUNDINGS}|${SURROUNDINGS}$`, "gu");

/**
 * A text as keywords are compared: without case, width, and what stands around it, whatever the language. Turkish writes I with
 * and without a dot, and people of one write both; of languages with invisible joiners some keyboards write none.
 */
export function foldKeyword(text: string): string {
  if (ASCII.test(text))
    return text
      .toLowerCase()
      .replaceAll(/[\s-]+/g, " ")
      .replaceAll(/^[^a-z\d]+|[^a-z\d]+$/g, "");
  const folded = foldLetters(text);
  return folded.replaceAll(/[\s\p{Z}\p{Pd}]+/gu, " ").replaceAll(SURROUNDING, "");
}

/** What most messages are written in: nothing else of `foldLetters` changes it, and what is no letter or digit is a sign. */
const ASCII = /^[ -~\n]*$/;

function foldLetters(text: string): string {
  const compatible = text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(ARABIC, withoutMarks);
  return compatible.toUpperCase().toLowerCase().replaceAll("i\u0307", "i").normalize("NFKC");
}

/** Arabic is written with and without hamza and vowel signs. */
const ARABIC = /\p{Script=Arabic}+/gu;
const withoutMarks = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
/** Of these scripts people leave the accents out; in others a mark may be a vowel. */
const WITH_ACCENTS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}\p{Script=Common}]*$/u;

/** Whether a folded text can be a keyword. */
export const isKeyword = (folded: string): boolean =>
  folded !== "" && (folded.length <= LONGEST_KEYWORD || Array.from(folded).length <= LONGEST_KEYWORD);

/** All keywords as they are compared, each once: also without accents, as many people write; who writes others means another word. */
export const foldedOf = (keywords: Keywords): string[] => {
  const folded = Object.values(keywords).flatMap((words) => words.map(foldKeyword));
  return [...new Set([...folded, ...folded.filter((word) => WITH_ACCENTS.test(word)).map(withoutMarks)])];
};

const OPT_OUT = new Set(foldedOf(DEFAULT_OPT_OUT));
const OPT_IN = new Set(foldedOf(DEFAULT_OPT_IN));

/** What a whole message says, if it may be a keyword, a line for each text of it (an array costs the database more); and what that means in a workspace that has set none. */
export type Said = { words: string | undefined; default_consent: DefaultConsent | undefined };

/** `content` is that of an inbound message: its text, the button that was pressed, or what was chosen from a list. */
export function saidIn(type: string, content: unknown): Said {
  const words: string[] = [];
  for (const text of textsOf(type, content))
    if (typeof text === "string" && text.length <= LONGEST_TEXT) words.push(...readingsOf(text).filter(isKeyword));
  if (words.length === 0) return NOTHING;
  const isIn = (list: ReadonlySet<string>): boolean => words.some((word) => list.has(word));
  return {
    words: words.join("\n"),
    default_consent: isIn(OPT_OUT) ? "opted_out" : isIn(OPT_IN) && canOptIn(type) ? "resumed" : undefined,
  };
}

/** Beside `foldKeyword`, whose result is stored with the keywords of a workspace: marks without a shape, and the `_` of a payload. */
const UNSEEN = /(?!\p{Cf})\p{Default_Ignorable_Code_Point}/gu;
const APART = /(?<=\S)_(?=\S)/g;

/** A text as it is compared, and as a reader sees it where that is another. */
function readingsOf(text: string): string[] {
  const folded = foldKeyword(text);
  if (ASCII.test(text) && !text.includes("_")) return [folded];
  const seen = foldKeyword(text.replaceAll(UNSEEN, "").replaceAll(APART, " "));
  return seen === folded ? [folded] : [folded, seen];
}

/** A reply of a menu may be called "Start" and mean the menu. */
const canOptIn = (type: string): boolean => type !== "interactive";

const NOTHING: Said = { words: undefined, default_consent: undefined };

function textsOf(type: string, content: unknown): unknown[] {
  switch (type) {
    case "text":
      return [fieldOf(content, "body")];
    case "button":
      return [fieldOf(content, "text"), fieldOf(content, "payload")];
    case "interactive":
      return ["button_reply", "list_reply"].map((reply) => fieldOf(fieldOf(content, reply), "title"));
    default:
      return [];
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
