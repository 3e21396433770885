import { h, setText } from "../lib/dom.ts";

type Tone = "good" | "warn" | "bad" | "wait";
const TONES: Readonly<Record<string, Tone>> = {
  APPROVED: "good",
  PENDING: "wait",
  REJECTED: "bad",
  DISABLED: "bad",
  PAUSED: "warn",
  CONNECTED: "good",
  BANNED: "bad",
  FLAGGED: "warn",
  RESTRICTED: "bad",
  GREEN: "good",
  YELLOW: "warn",
  RED: "bad",
  delivered: "good",
  read: "good",
  accepted: "good",
  retrying: "warn",
  gave_up: "bad",
  dropped: "warn",
  refused: "bad",
  failed: "bad",
};

/** A name of the API as people write it: "flagged", "2k". */
export const wordsOf = (name: string): string =>
  name
    .replace(/^TIER_/, "")
    .toLowerCase()
    .replaceAll("_", " ");

/** A state as a word with a colour. */
export const badge = (): HTMLElement => h("span", { class: "badge" });

export function showState(element: HTMLElement, state: string, words = wordsOf(state)): void {
  setText(element, words);
  element.dataset["tone"] = TONES[state] ?? "wait";
}

export const button = (text: string, onclick: () => void, look = ""): HTMLButtonElement =>
  h("button", { class: `button ${look}`, type: "button", onclick }, text);

/** A labelled choice; `change` gets the chosen value. */
export function select(label: string, values: readonly string[], change?: (value: string) => void): HTMLSelectElement {
  const element = h(
    "select",
    { "aria-label": label },
    ...values.map((value) => h("option", { value }, wordsOf(value))),
  );
  if (change !== undefined) element.addEventListener("change", () => change(element.value));
  return element;
}

/** Leaves a choice alone while a person has it open. */
export function showChoice(element: HTMLSelectElement, value: string): void {
  if (document.activeElement === element) return;
  if (![...element.options].some((option) => option.value === value))
    element.append(h("option", { value }, wordsOf(value)));
  element.value = value;
}

/** JSON that is drawn once it is opened: a list has hundreds of them. */
export function jsonOf(label: string, textOf: () => string): HTMLElement {
  const pre = h("pre", { tabindex: 0, "aria-label": label });
  const details = h("details", {}, h("summary", {}, label), pre);
  details.addEventListener("toggle", () => {
    if (details.open) setText(pre, textOf());
  });
  return details;
}
