import "../pages.css";
import "./provider.css";
import { fill, h } from "../lib/dom.ts";
import { frame } from "../lib/frame.ts";
import { follow } from "../lib/live.ts";
import { accounts } from "./accounts.ts";
import { faults } from "./faults.ts";
import { callbacks, sent } from "./logs.ts";
import type { Part } from "./shapes.ts";
import { templates } from "./templates.ts";

/** Changes that come together are read once. */
const JOINED_MS = 150;

const PARTS = [
  { id: "templates", name: "Templates", part: templates(attempt) },
  { id: "accounts", name: "Accounts", part: accounts(attempt) },
  { id: "faults", name: "Faults", part: faults(attempt) },
  { id: "callbacks", name: "Callbacks", part: callbacks(attempt) },
  { id: "sent", name: "Sent", part: sent() },
] as const;

const links = PARTS.map(({ id, name }) => h("a", { href: `#${id}` }, name));
const place = h("div", { class: "place" });
const page = frame("The provider", h("nav", { class: "parts", "aria-label": "Parts" }, ...links), place);
let timer = 0;

function current(): { id: string; part: Part } {
  return PARTS.find(({ id }) => location.hash === `#${id}`) ?? PARTS[0];
}

function open(): void {
  const { id, part } = current();
  for (const link of links) {
    if (link.hash === `#${id}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  fill(place, part.element);
  read();
}

function read(): void {
  current().part.read().catch(page.fail);
}

function attempt(run: () => Promise<unknown>): void {
  run().catch(page.fail).finally(read);
}

function later(): void {
  clearTimeout(timer);
  timer = window.setTimeout(read, JOINED_MS);
}

window.addEventListener("hashchange", open);
follow(page.live, { state: later, messages: later, world: later });
open();
