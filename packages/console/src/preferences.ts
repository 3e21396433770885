import { Choice } from "./store.ts";
import { type Language, TAGS } from "./text/languages.ts";

// These four are read by `before-paint.js` too; the looks are attributes of the page, which styles ask for.
export const theme = new Choice("waypost-theme", ["system", "light", "dark"]);
/** "browser": the first of the browser's languages that the console has. A choice is seen once the page is loaded again. */
export const language = new Choice<Language | "browser">("waypost-language", ["browser", ...TAGS]);
export const density = new Choice("waypost-density", ["comfortable", "compact"]);
export const sidebar = new Choice("waypost-sidebar", ["wide", "narrow"]);
export const zone = new Choice("waypost-zone", ["local", "utc"]);
/** Whether Home says what to do first. "done": all of it was seen to be done. */
export const firstSteps = new Choice("waypost-first-steps", ["open", "closed", "done"]);
/** Whether single keys do something: a person who speaks to a computer, or whose hand shakes, switches them off. */
export const shortcuts = new Choice("waypost-shortcuts", ["on", "off"]);

export function applyLooks(): void {
  const looks = { theme: theme.get(), density: density.get(), sidebar: sidebar.get() };
  Object.assign(document.documentElement.dataset, looks);
}
