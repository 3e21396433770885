import { LANGUAGES, type Language, TAGS } from "../text/languages.ts";
import { text } from "../text/text.ts";

export const LANGUAGE_VALUES: readonly (Language | "browser")[] = ["browser", ...TAGS];

/** Each language is called as it calls itself: a person who reads no other finds it. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  browser: text.header.language.browser,
  ...Object.fromEntries(TAGS.map((tag) => [tag, LANGUAGES[tag].name])),
};

/** All texts are read once, at the start. */
export const showLanguage = (): void => location.reload();
