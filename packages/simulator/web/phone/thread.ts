import styles from "../../../console/src/parts/phone/phone.module.css";
import { type Drawn, h, KeyedList, setText } from "../lib/dom.ts";
import { clockTime, exactTime } from "../lib/time.ts";
import { drawMessage } from "./bubble.ts";
import type { Choice } from "./choices.ts";
import type { Message } from "./state.ts";

const EMOJIS = ["👍", "❤️", "😂", "😮", "🙏"];

/** What a person does with a message of the business. */
export type Acts = {
  choose(message: Message, choice: Choice): void;
  quote(message: Message): void;
  react(message: Message, emoji: string): void;
};

/** The messages of a chat, the newest at the end and in view. */
export class Thread {
  readonly #messages = h("ol");
  readonly element = h("div", { class: "thread", "aria-label": "Messages", role: "log", tabindex: 0 }, this.#messages);
  readonly #list: KeyedList<Message>;
  #reactions = new Map<string, string>();
  #of = "";

  constructor(acts: Acts) {
    this.#list = new KeyedList(
      this.#messages,
      (message) => `${message.by} ${message.id}`,
      (message) => this.#draw(message, acts),
    );
  }

  /** `of` names the chat: another one is shown from its end. */
  show(of: string, messages: readonly Message[]): void {
    const { element } = this;
    const atEnd = of !== this.#of || element.scrollHeight - element.scrollTop - element.clientHeight < 80;
    this.#of = of;
    this.#reactions = new Map(
      messages.flatMap((message) => {
        const { message_id, emoji } = reactionIn(message);
        return message_id === undefined ? [] : [[message_id, emoji ?? ""]];
      }),
    );
    this.#list.show(messages.filter((message) => message.type !== "reaction"));
    if (atEnd) element.scrollTop = element.scrollHeight;
  }

  #draw(message: Message, acts: Acts): Drawn<Message> {
    const isOurs = message.by === "business";
    const reaction = h("span", { class: "reaction", hidden: true });
    const state = h("span", { class: "state" });
    const bubbles = drawMessage(message, (choice) => acts.choose(message, choice));
    const element = h(
      "li",
      { class: `message ${styles["side"] ?? ""}`, "data-by": message.by },
      h("span", { class: "visually-hidden" }, isOurs ? "The business: " : "You: "),
      bubbles,
      reaction,
      h(
        "p",
        { class: "about" },
        h(
          "time",
          { datetime: new Date(message.at).toISOString(), title: exactTime(message.at) },
          clockTime(message.at),
        ),
        state,
        ...(isOurs ? actions(message, acts) : []),
      ),
    );
    const update = (newer: Message) => {
      const { sign, text, tone } = stateOf(newer);
      setText(state, `${sign} ${text}`);
      state.dataset["tone"] = tone;
      const emoji = this.#reactions.get(newer.id) ?? "";
      setText(reaction, emoji);
      reaction.hidden = emoji === "";
    };
    return { element, update };
  }
}

function reactionIn({ type, message }: Message): { message_id?: string; emoji?: string } {
  return type === "reaction" ? ((message?.["reaction"] ?? {}) as { message_id?: string; emoji?: string }) : {};
}

function actions(message: Message, acts: Acts): HTMLElement[] {
  const emojis = h("span", { class: "emojis", hidden: true });
  const react = h("button", { class: "plain", type: "button", "aria-expanded": "false" }, "React");
  const open = (isOpen: boolean) => {
    emojis.hidden = !isOpen;
    react.setAttribute("aria-expanded", String(isOpen));
  };
  react.addEventListener("click", () => open(emojis.hidden !== false));
  for (const emoji of EMOJIS) {
    const send = () => {
      open(false);
      react.focus();
      acts.react(message, emoji);
    };
    emojis.append(h("button", { class: "plain", type: "button", onclick: send }, emoji));
  }
  const quote = () => acts.quote(message);
  return [h("button", { class: "plain", type: "button", onclick: quote }, "Reply"), react, emojis];
}

type Shown = { sign: string; text: string; tone: "wait" | "good" | "bad" };

/** What the provider last reported of the business's message, and of the person's own, whether the business has read it. */
function stateOf({ by, status, code, read }: Message): Shown {
  if (by === "person")
    return read ? { sign: "✓✓", text: "Read", tone: "good" } : { sign: "✓", text: "Sent", tone: "wait" };
  switch (status) {
    case "sent":
      return { sign: "✓", text: "Sent", tone: "wait" };
    case "delivered":
      return { sign: "✓✓", text: "Delivered", tone: "wait" };
    case "read":
      return { sign: "✓✓", text: "Read", tone: "good" };
    case "played":
      return { sign: "✓✓", text: "Played", tone: "good" };
    case "failed":
      return { sign: "✕", text: `Failed with ${code ?? "an error"}, not on the phone`, tone: "bad" };
    case null:
      return { sign: "○", text: "Accepted", tone: "wait" };
    default:
      return { sign: "·", text: status, tone: "wait" };
  }
}
