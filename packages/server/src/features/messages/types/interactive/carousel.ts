import { Type } from "typebox";
import { invalidAt } from "../../../../http/problem.ts";
import { type AnyKind, kind, OpenUnion } from "../open-union.ts";
import { openUrl } from "./cta-url.ts";
import { interactiveKind } from "./kind.ts";
import { body, bodyOf, cardHeader, checkDistinct, checkHeader, label, text } from "./parts.ts";

const FEWEST_CARDS = 2;
const MOST_CARDS = 10;
const LONGEST_CARD_BODY = 160;
const MOST_LINE_BREAKS = 2;
/** As of a message with buttons. */
const MOST_REPLIES = 3;
const LONGEST_REPLY_ID = 256;

const quickReply = kind({
  name: "quick_reply",
  content: Type.Object(
    {
      type: Type.Literal("quick_reply"),
      quick_reply: Type.Object({ id: text(LONGEST_REPLY_ID), title: label() }),
    },
    { $id: "QuickReply" },
  ),
});
const BUTTONS = new OpenUnion("type", [quickReply], { $id: "CardButton" });

const ofEveryCard = {
  card_index: Type.Integer({ minimum: 0, maximum: MOST_CARDS - 1, description: "The place of the card, from 0." }),
  header: cardHeader,
  body: Type.Optional(bodyOf(LONGEST_CARD_BODY)),
  action: Type.Object(
    { buttons: Type.Optional(Type.Array(BUTTONS.schema, { minItems: 1, maxItems: MOST_REPLIES })) },
    { additionalProperties: true },
  ),
};

// The provider's page has the type on cards of either kind; its clients leave it out where there are quick replies.
const urlCard = kind({
  name: "cta_url",
  content: Type.Object(
    {
      ...ofEveryCard,
      type: Type.Literal("cta_url"),
      action: Type.Object({
        name: Type.Optional(openUrl.properties.name),
        parameters: Type.Optional(openUrl.properties.parameters),
        buttons: ofEveryCard.action.properties.buttons,
      }),
    },
    { $id: "UrlCard", description: "A card whose button opens a page, or with quick replies." },
  ),
});

const CARDS = new OpenUnion("type", [urlCard], { $id: "InteractiveCard", tagged: false, fields: ofEveryCard });

export const carousel = interactiveKind({
  name: "carousel",
  description:
    "Two to ten cards side by side in the order of their `card_index`, each with an image or each with a video, and with the same kind and number of buttons: one that opens a page, or quick replies.",
  parts: { body },
  action: Type.Object({ cards: Type.Array(CARDS.schema, { minItems: FEWEST_CARDS, maxItems: MOST_CARDS }) }),
  check({ cards }, at) {
    const given = cards as unknown as readonly CommonCard[]; // every card has these, whatever its type
    checkOrder(given, `${at}/cards`);
    for (const [index, card] of given.entries()) checkCard(card, given[0] ?? card, `${at}/cards/${index}`);
    checkReplyIds(given, `${at}/cards`);
  },
  // The type of a card whose button opens a page is not left out at the provider; some clients do.
  spell({ action }) {
    const { cards } = isObject(action) ? action : {};
    for (const card of Array.isArray(cards) ? (cards as unknown[]) : [])
      if (
        isObject(card) &&
        card["type"] === undefined &&
        isObject(card["action"]) &&
        card["action"]["name"] === urlCard.name
      )
        card["type"] = urlCard.name;
  },
});

const isObject = (value: unknown): value is AnyKind => typeof value === "object" && value !== null;

type CommonCard = {
  card_index: number;
  type?: string;
  header: AnyKind;
  body?: { text: string };
  action: AnyKind & { buttons?: readonly AnyKind[] };
};

/** Throws the Problem of cards that do not stand at the place that their index names: the provider shows them from 0 on, without a hole. */
function checkOrder(cards: readonly CommonCard[], at: string): void {
  const pointer = (index: number): string => `${at}/${index}/card_index`;
  checkDistinct(
    cards.map(({ card_index }) => String(card_index)),
    pointer,
    "card_index",
  );
  const wrong = cards.findIndex(({ card_index }, index) => card_index !== index);
  if (wrong !== -1)
    throw invalidAt(
      pointer(wrong),
      `Number the cards from 0 in their order, without a hole: this one has the card_index ${wrong}.`,
      "order",
    );
}

function checkCard(card: CommonCard, first: CommonCard, at: string): void {
  if (card.header["type"] !== first.header["type"])
    throw invalidAt(`${at}/header/type`, "Give all cards a header of the same type.");
  checkHeader(card.header, `${at}/header`);
  const breaks = card.body?.text.match(/\r\n|\r|\n/g)?.length ?? 0;
  if (breaks > MOST_LINE_BREAKS)
    throw invalidAt(
      `${at}/body/text`,
      `The text of a card has at most ${MOST_LINE_BREAKS} line breaks; this has ${breaks}. Remove ${breaks - MOST_LINE_BREAKS}.`,
      "line_breaks",
    );
  const buttons = buttonsOf(card, at);
  if (buttons !== buttonsOf(first, at))
    throw invalidAt(
      `${at}/action`,
      `Give all cards the same kind and number of buttons: the first has ${buttonsOf(first, at)}, this one ${buttons}.`,
      "cards_differ",
    );
}

/** What buttons a card has, as a text; throws the Problem of a card that has none, or of both kinds. */
function buttonsOf({ type, action }: CommonCard, at: string): string {
  const { buttons } = action;
  if (type !== undefined && type !== urlCard.name) return `those of the type ${type}`;
  const missing = (["name", "parameters"] as const).filter((field) => action[field] === undefined);
  const [first] = missing;
  if (buttons !== undefined && missing.length < 2)
    throw invalidAt(`${at}/action`, "Give a card either quick replies or a button that opens a page, not both.");
  if (buttons === undefined && missing.length === 2)
    throw invalidAt(
      `${at}/action/buttons`,
      "Each card needs a button: quick replies here, or the name cta_url with the parameters of a page that it opens.",
      "required",
    );
  if (buttons === undefined && first !== undefined) throw invalidAt(`${at}/action/${first}`, "is required", "required");
  if (buttons === undefined && type === undefined)
    throw invalidAt(
      `${at}/action/name`,
      "The action of a card with a button that opens a page is named cta_url.",
      "const",
    );
  if (buttons === undefined) return "a button that opens a page";
  const kinds = buttons.map((one) => String(one["type"]));
  if (kinds.some((one) => one !== quickReply.name)) return `buttons of the types ${kinds.join(", ")}`;
  return buttons.length === 1 ? "one quick reply" : `${buttons.length} quick replies`;
}

/** Throws the Problem of an id that two replies have: the person's choice comes back as the id alone. */
function checkReplyIds(cards: readonly CommonCard[], at: string): void {
  const replies = cards.flatMap(({ action }, card) =>
    (action.buttons ?? []).flatMap(({ quick_reply: reply }, index) =>
      isReply(reply) ? [{ id: reply.id, at: `${at}/${card}/action/buttons/${index}/quick_reply/id` }] : [],
    ),
  );
  checkDistinct(
    replies.map(({ id }) => id),
    (index) => replies[index]?.at ?? at,
    "id of a quick reply",
  );
}

const isReply = (value: unknown): value is { id: string } => isObject(value) && typeof value["id"] === "string";
