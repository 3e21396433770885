import { describe, expect, it } from "vitest";
import { type Language, TAGS } from "./languages.ts";
import { CATALOGUES } from "./text.ts";

// What the compiler cannot see of a language: texts of open lists, texts that are empty, left in English, or leave out what they are about.

/** A place in a catalogue, such as `home.range.7d`, and what stands there. */
type Leaf = readonly [place: string, given: unknown];

const leavesOf = (given: unknown, place: string): Leaf[] =>
  typeof given === "object" && given !== null
    ? Object.entries(given).flatMap(([key, value]) => leavesOf(value, place === "" ? key : `${place}.${key}`))
    : [[place, given]];
const catalogueOf = async (tag: Language): Promise<Map<string, unknown>> => {
  const all = leavesOf({ ...(await CATALOGUES[tag]()) }, "");
  return new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** An argument that is a number, reads as one in a text, and has it under every name that is taken from it. */
const argument = (value: number): unknown =>
  new Proxy(Object(value), {
    get: (target, key) => {
      const own = Reflect.get(target, key);
      if (typeof own === "function") return own.bind(target);
      return typeof key === "symbol" ? own : value;
    },
  });
type Function = (...given: unknown[]) => unknown;
const say = (given: unknown, values: readonly number[]): string =>
  typeof given === "function" ? String((given as Function)(...values.map(argument))) : String(given);

/** Figures that no text has by itself. */
const SAMPLES = [8_412, 8_523, 8_634];
const samplesIn = (said: string): number[] =>
  SAMPLES.filter((sample) => said.includes(String(sample)) || said.replaceAll(/[.,\s]/g, "").includes(String(sample)));
const EMPTY_IN_ENGLISH = ["compose.kindHelp.text"];

const en = await catalogueOf("en");

describe.each(TAGS)("%s", (tag) => {
  it("has a text of the same kind wherever English has one, and no other", async () => {
    const kinds = (all: Map<string, unknown>) => [...all].map(([place, given]) => `${place}: ${typeof given}`);
    expect(kinds(await catalogueOf(tag))).toEqual(kinds(en));
  });

  it("says something for every number", async () => {
    const faults = [...(await catalogueOf(tag))].flatMap(([place, given]) =>
      [0, 1, 2, 3, 11, 100].flatMap((count) => {
        const said = say(given, [count, count, count]);
        const isWrong =
          /undefined|NaN|#|\[object/.test(said) || (said.trim() === "" && !EMPTY_IN_ENGLISH.includes(place));
        return isWrong ? [`${place} of ${count}: ${said}`] : [];
      }),
    );
    expect(faults).toEqual([]);
  });

  it("names what English names", async () => {
    const named = (all: Map<string, unknown>) =>
      Object.fromEntries([...all].map(([place, given]) => [place, samplesIn(say(given, SAMPLES))]));
    expect(named(await catalogueOf(tag))).toEqual(named(en));
  });
});

/** Texts that are the same in English: names of products and formats, and words that a language has as English has them. */
const SAME: Readonly<Record<Language, readonly string[]>> = {
  en: [],
  es: [
    "Audio",
    "Callbacks",
    "Chats",
    "Endpoint",
    "Endpoints",
    "Error",
    "Marketing",
    "No",
    "Sticker",
    "Video",
    "Webhooks",
  ],
  "pt-BR": ["Callbacks", "Endpoint", "Endpoints", "Link", "Marketing", "Status", "Webhooks"],
  ar: [],
};
const NAMES = /^(?:Waypost|WhatsApp|JSON|UTC|PostgreSQL|https:\S+)$/;

it.each(TAGS.filter((tag) => tag !== "en"))("%s is not left in English", async (tag) => {
  const faults = [...(await catalogueOf(tag))].flatMap(([place, given]) => {
    const said = say(given, SAMPLES);
    const isSame = said === say(en.get(place), SAMPLES) && /\p{L}/u.test(said);
    return isSame && !NAMES.test(said) && !SAME[tag].includes(said) ? [`${place}: ${said}`] : [];
  });
  expect(faults).toEqual([]);
});
