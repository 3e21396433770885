/**
 * The languages of the console, by their tags (BCP 47), as `lang` of the page has them; a new one has a line here and one in `text.ts`.
 * `name`: in the language itself. `locale`: for `Intl`, of numbers, times and lists. Imported by the builder too, so it imports nothing.
 */
export const LANGUAGES = {
  en: { name: "English", direction: "ltr", locale: "en" },
  es: { name: "Español", direction: "ltr", locale: "es" },
  "pt-BR": { name: "Português (Brasil)", direction: "ltr", locale: "pt-BR" },
  // Western digits, whatever the browser holds for usual in Arabic: ids, phone numbers and codes of errors have no others, and figures
  // beside them in two kinds of digits cannot be compared at a glance.
  ar: { name: "العربية", direction: "rtl", locale: "ar-u-nu-latn" },
} as const satisfies Record<string, { name: string; direction: "ltr" | "rtl"; locale: string }>;

export type Language = keyof typeof LANGUAGES;

export const TAGS = Object.keys(LANGUAGES) as Language[]; // its keys are the languages

export const isLanguage = (tag: string | undefined): tag is Language =>
  tag !== undefined && Object.hasOwn(LANGUAGES, tag);
