import { Type } from "typebox";
import { checkDistinct } from "../interactive/parts.ts";
import { type AnyKind, kind, OpenUnion, spellEach } from "../open-union.ts";
import { body } from "./body.ts";
import { button } from "./button.ts";
import { header } from "./header.ts";

const FEWEST_CARDS = 2;
const MOST_CARDS = 10;
/** A header, a body and two buttons; the rest is room for what the provider adds. */
const MOST_COMPONENTS = 10;

const OF_CARD = new OpenUnion("type", [header, body, button], { $id: "TemplateCardComponent", inAnyCase: true });

const Card = Type.Object({
  card_index: Type.Integer({ minimum: 0, maximum: MOST_CARDS - 1, description: "The place of the card, from 0." }),
  components: Type.Array(OF_CARD.schema, { maxItems: MOST_COMPONENTS }),
});

export const carousel = kind({
  name: "carousel",
  content: Type.Object(
    {
      type: Type.Literal("carousel"),
      cards: Type.Array(Card, { minItems: FEWEST_CARDS, maxItems: MOST_CARDS }),
    },
    { $id: "TemplateCarousel", description: "The parameters of each card." },
  ),
  check({ cards }, at) {
    checkDistinct(
      cards.map(({ card_index }) => String(card_index)),
      (index) => `${at}/cards/${index}/card_index`,
      "card_index",
    );
    for (const [index, { components }] of cards.entries())
      for (const [inner, component] of components.entries())
        OF_CARD.check(component, `${at}/cards/${index}/components/${inner}`);
  },
  spell({ cards }) {
    for (const card of Array.isArray(cards) ? (cards as unknown[]) : [])
      if (typeof card === "object" && card !== null) spellEach(OF_CARD, (card as AnyKind)["components"]);
  },
});
