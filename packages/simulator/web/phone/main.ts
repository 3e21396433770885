import "../pages.css";
import "./phone.css";
import { call, typeOf, upload } from "../lib/api.ts";
import { h, setText } from "../lib/dom.ts";
import { frame } from "../lib/frame.ts";
import { follow } from "../lib/live.ts";
import { ask } from "./ask.ts";
import type { Choice } from "./choices.ts";
import { Composer, type Written } from "./composer.ts";
import { People } from "./people.ts";
import { PhoneHead } from "./phone-head.ts";
import { type Message, State, type World } from "./state.ts";
import { Thread } from "./thread.ts";

const state = new State();
let quoted: Message | null = null;

const thread = new Thread({
  choose: (message, choice) => attempt(() => choose(message, choice)),
  quote: (message) => quote(message),
  react: (message, emoji) =>
    attempt(() => write({ type: "reaction", reaction: { message_id: message.id, emoji } }, null)),
});
const composer = new Composer(async (written) => {
  try {
    await send(written);
  } catch (error) {
    page.fail(error);
    throw error;
  }
});
const quoteText = h("span", {});
const quoteBar = h(
  "p",
  { class: "quote", hidden: true },
  quoteText,
  h("button", { class: "plain", type: "button", onclick: () => quote(null) }, "Not as a reply"),
);
const head = new PhoneHead(state, attempt);
const empty = h("p", { class: "empty muted", hidden: true });
const phone = h("section", { class: "phone" }, head.element, empty, thread.element, quoteBar, composer.element);
const people = new People(state, (error) => page.fail(error));
const desk = h("div", { class: "desk" }, people.element, phone);
const page = frame("Virtual phone", desk);

function attempt(run: () => Promise<unknown>): void {
  run().catch(page.fail);
}

function show(): void {
  const { person, shop, chat } = state;
  const isOpen = person.id !== "";
  desk.dataset["open"] = String(isOpen);
  phone.setAttribute("aria-label", isOpen ? `Phone of ${person.name}` : "Phone");
  const canWrite = isOpen && shop !== undefined;
  head.show();
  composer.element.hidden = !canWrite;
  thread.element.hidden = chat.length === 0;
  empty.hidden = chat.length > 0;
  setText(empty, emptyText(isOpen, shop?.name));
  thread.show(`${person.id} ${shop?.id ?? ""}`, chat);
  if (isOpen && document.visibilityState === "visible") state.look();
  people.show();
}

function emptyText(isOpen: boolean, shop: string | undefined): string {
  if (!isOpen) return "Choose a person to see their phone.";
  if (shop === undefined) return "No business has a number here yet. Add an account to the simulator.";
  return `No messages yet. Write first, or send one from ${shop}.`;
}

/** The open person writes to the open business. `quotes`: the message that it answers. */
async function write(message: Readonly<Record<string, unknown>>, quotes: Message | null): Promise<void> {
  const { person, shop } = state;
  if (shop === undefined) return;
  const about = quotes === null ? {} : { quotes: quotes.id };
  await call("POST", "/sim/inbound", { ...message, ...about, phone_number_id: shop.id, from: person.id });
}

async function choose(message: Message, choice: Choice): Promise<void> {
  if (choice.kind === "call") return page.fail(`A phone would call ${choice.phone} now.`);
  if (choice.kind === "copy") return await navigator.clipboard.writeText(choice.code);
  const answer = await ask(choice);
  if (answer !== null) await write(answer, message);
}

async function send({ text, file }: Written): Promise<void> {
  const quotes = quoted;
  await write(file === null ? { type: "text", text: { body: text } } : await fileMessage(file, text), quotes);
  if (quoted === quotes) quote(null);
}

async function fileMessage(file: File, caption: string): Promise<Record<string, unknown>> {
  const { shop } = state;
  const id = await upload(shop?.id ?? "", file);
  const type = KINDS.find(({ begins }) => begins.test(typeOf(file)))?.kind ?? "document";
  const named = type === "document" ? { filename: file.name } : {};
  return { type, [type]: { id, ...named, ...(caption === "" || type === "audio" ? {} : { caption }) } };
}

/** As which kind a phone sends a file; anything else is a document. */
const KINDS = [
  { begins: /^image\/(?:jpeg|png)/, kind: "image" },
  { begins: /^video\/(?:mp4|3gpp)/, kind: "video" },
  { begins: /^audio\//, kind: "audio" },
];

function quote(message: Message | null): void {
  quoted = message;
  quoteBar.hidden = message === null;
  setText(quoteText, message === null ? "" : `Reply to the message of ${new Date(message.at).toLocaleTimeString()}`);
  composer.focus();
}

window.addEventListener("hashchange", () => {
  if (quoted !== null) quote(null);
  show();
  if (state.person.id !== "") head.focus();
});
document.addEventListener("visibilitychange", show);
follow(page.live, {
  state: ({ messages, ...world }: World & { messages: Message[] }) => {
    state.world = world;
    state.reset(messages);
    show();
  },
  messages: ({ messages }: { messages: Message[] }) => {
    state.take(messages);
    show();
  },
  world: (world: World) => {
    state.world = world;
    show();
  },
});
show();
