import { bubbleOf } from "../../../console/src/parts/phone/bubble.ts";
import type { Bubble, Header } from "../../../console/src/parts/phone/bubble-shape.ts";
import type { Inline } from "../../../console/src/parts/phone/inline.ts";
import styles from "../../../console/src/parts/phone/phone.module.css";
import { type Child, h } from "../lib/dom.ts";
import { type Choice, choicesOf, choicesOfCard } from "./choices.ts";
import { drawFile, fileOf } from "./files.ts";
import type { Message } from "./state.ts";

const style = (name: string): string => styles[name] ?? "";

/** A message's bubbles, with buttons that `choose` follows. */
export function drawMessage(message: Message, choose: (choice: Choice) => void): HTMLElement {
  const bubble = bubbleOf({ ...message.message, type: message.type }, message.components, "shown");
  const file = fileOf(message);
  const drawn = h("div", { class: "bubbles" });
  if (bubble === null) {
    const text = message.message === null ? "This message is not kept any more." : `[${message.type}]`;
    drawn.append(h("p", { class: `${style("bubble")} muted` }, text));
    return drawn;
  }
  drawn.append(oneBubble(bubble, choicesOf(message), { file: file && drawFile(file), choose }));
  if (bubble.cards.length > 0)
    drawn.append(
      h(
        "div",
        { class: style("cards"), role: "group", "aria-label": "Cards", tabindex: 0 },
        ...bubble.cards.map((card, index) => oneBubble(card, choicesOfCard(message, index), { file: null, choose })),
      ),
    );
  return drawn;
}

type Parts = { file: Child; choose: (choice: Choice) => void };

function oneBubble(bubble: Bubble, choices: readonly Choice[], { file, choose }: Parts): HTMLElement {
  const { header, body, footer } = bubble;
  return h(
    "div",
    { class: style("whole") },
    h(
      "div",
      { class: style("bubble") },
      header !== null && drawHeader(header, file),
      body.length > 0 && h("p", { class: style("body"), dir: "auto" }, ...body.map(drawInline)),
      footer !== null && h("p", { class: style("footer"), dir: "auto" }, footer),
    ),
    ...choices.map((choice) => drawChoice(choice, choose)),
  );
}

function drawHeader(header: Header, file: Child): HTMLElement {
  switch (header.kind) {
    case "text":
      return h("p", { class: style("title"), dir: "auto" }, ...header.text.map(drawInline));
    case "offer":
      return h("p", { class: style("title") }, header.text || "Limited offer");
    case "location":
      return h(
        "div",
        { class: style("media") },
        h("span", {}, header.name ?? "Place"),
        header.address !== null && h("span", { class: style("footer") }, header.address),
      );
    case "contacts":
      return h("div", { class: style("media") }, `Contact card: ${header.names.join(", ")}`);
    default:
      return h("div", { class: style("media") }, file ?? header.name ?? header.kind);
  }
}

function drawInline({ text, bold, italic, strike, code, variable }: Inline): Child {
  if (code) return h("code", {}, text);
  if (variable) return h("span", { class: style("variable") }, text);
  const struck = strike ? h("s", {}, text) : text;
  const slanted = italic ? h("em", {}, struck) : struck;
  return bold ? h("strong", {}, slanted) : slanted;
}

function drawChoice(choice: Choice, choose: (choice: Choice) => void): HTMLElement {
  const look = `${style("button")} choice`;
  if (choice.kind === "link")
    return h("a", { class: look, href: choice.href, target: "_blank", rel: "noopener noreferrer" }, choice.text);
  if (choice.kind === "none") return h("span", { class: look }, choice.text);
  return h("button", { class: look, type: "button", onclick: () => choose(choice) }, choice.text);
}
