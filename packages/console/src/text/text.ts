import type * as english from "./en.ts";
import { isLanguage, LANGUAGES, type Language } from "./languages.ts";

/** The shape of every language: that of English. */
export type Text = typeof english;

/** A browser loads the one that it shows. None of them may import what the start of the console has: it waits here for them. */
export const CATALOGUES: Readonly<Record<Language, () => Promise<Text>>> = {
  en: () => import("./en.ts"),
  es: () => import("./es.ts"),
  "pt-BR": () => import("./pt-BR.ts"),
  ar: () => import("./ar.ts"),
};

// Written there by `console/before-paint.js`, which has begun to load its texts too. Tests of single files have no page.
const written = globalThis.document?.documentElement.lang;

/** Of the page, until it is loaded again. */
const language: Language = isLanguage(written) ? written : "en";

/** For `Intl`: of numbers, dates, plurals and lists. */
export const LOCALE: string = LANGUAGES[language].locale;

/** Where lines begin: at the left, or at the right. */
export const DIRECTION = LANGUAGES[language].direction;

/** All that people read, in the language of the page. */
export const text: Text = await CATALOGUES[language]().catch((error: unknown) => {
  const place = globalThis.document?.getElementById("app");
  // There are no texts: this one is in the language of the page's other text without scripts.
  if (place) place.textContent = "The console could not be loaded. Load this page again.";
  throw error;
});
