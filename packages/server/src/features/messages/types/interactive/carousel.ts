import { Type } from "typebox";
import { invalidAt } from "../../../../http/problem.ts";
import { type AnyKind, kind, OpenUnion } from "../open-union.ts";
import { openUrl } from "./cta-url.ts";
import { interactiveKind } from "./kind.ts";
import { body, bodyOf, cardHeader, checkDistinct, checkHeader, label, text } from "./parts.ts";

const FEWEST_CARDS = 2;
const MOST_CARDS = 10;
const LONGEST_CARD_BODY = 160;
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

const urlCard = kind({
  name: "cta_url",
  content: Type.Object(
    {
      ...ofEveryCard,
      type: Type.Literal("cta_url"),
      action: openUrl,
    },
    { $id: "UrlCard" },
  ),
});

// Cards with quick replies have no type.
const CARDS = new OpenUnion("type", [urlCard], { $id: "InteractiveCard", tagged: false, fields: ofEveryCard });

export const carousel = interactiveKind({
  name: "carousel",
  description: "Two to ten cards side by side, each with an image or each with a video.",
  parts: { body },
  action: Type.Object({ cards: Type.Array(CARDS.schema, { minItems: FEWEST_CARDS, maxItems: MOST_CARDS }) }),
  check({ cards }, at) {
    const given = cards as unknown as readonly CommonCard[]; // every card has these, whatever its type
    checkDistinct(
      given.map(({ card_index }) => String(card_index)),
      (index) => `${at}/cards/${index}/card_index`,
      "card_index",
    );
    for (const [index, { header }] of given.entries()) {
      const where = `${at}/cards/${index}/header`;
      if (header["type"] !== given[0]?.header["type"])
        throw invalidAt(`${where}/type`, "Give all cards a header of the same type.");
      checkHeader(header, where);
    }
  },
});

type CommonCard = { card_index: number; header: AnyKind };
