import { figure, plural } from "./forms.ts";

// What pages are made of.
export const filter = {
  noneHelp: "Remove one of the filters.",
  all: "Show all",
  example: "Or call the API:",
  add: "Filter",
  label: "Filters",
  count: (held: number) => `Filters (${figure(held)})`,
  show: "Show",
  clear: "Clear",
  remove: (name: string) => `Remove the filter ${name}`,
  apply: "Apply",
  find: "Find",
};

export const table = {
  openPage: "Open its page",
  older: "Older",
  newest: "Newest",
  pages: "Pages of the list",
  count: (rows: number) => plural(rows, { one: "# row", other: "# rows" }),
};

export const copy = {
  copied: "Copied",
  copy: (what: string) => `Copy ${what}`,
  plain: "Copy",
  failed: "The browser did not allow copying.",
};

export const json = {
  fold: "Fold",
  unfold: "Unfold",
  find: "Find a field or value",
  none: "No field or value has this.",
};

export const problem = {
  title: "This did not work",
  connection: "The gateway does not answer",
  connectionHelp: "Check that it runs and that this machine reaches it.",
  again: "Try again",
  request: "Request id",
  forbidden: (scope: string) => `Your key lacks the scope ${scope}.`,
  forbiddenHelp: "Sign in with a key that has it, or ask for one.",
  changed: "Another person or program changed it meanwhile. Look at what it is now, and try again.",
  waits: (seconds: number) => `Try again in ${figure(seconds)} s`,
  page: "There is no such page",
  pageHelp: "The address is wrong, or the page was moved.",
  toHome: "Go to the start",
  open: "Open the existing one",
  provider: "The provider's words",
};

export const phone = {
  image: "Image",
  video: "Video",
  audio: "Audio",
  document: "Document",
  sticker: "Sticker",
  location: "Place",
  contacts: "Contact card",
  unsupported: "This kind of message is not shown here.",
  more: "See all options",
  copyCode: "Copy code",
  reacted: (emoji: string) => `Reacted with ${emoji}`,
  offer: "Limited offer",
  label: "The message as the person sees it",
};

export const dialog = {
  close: "Close",
  keep: "Keep it",
  leave: "Leave without saving?",
  leaveEffect: "What you entered here is lost.",
  stay: "Stay",
  discard: "Leave",
  type: (what: string) => `Type ${what} to go on`,
  copySecret: "Copy the secret",
  stored: "I have stored it",
};

export const form = {
  optional: "(optional)",
  missing: "Fill this in.",
  cancel: "Cancel",
};
