import { en, type Text } from "./en.ts";

/** The texts of the language that the console is shown in. */
export const text: Text = en;

/** Language of numbers, dates and plurals; as `lang` of the page. */
export const LOCALE = "en";
