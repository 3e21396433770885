import type { FieldError } from "../../../http/problem.ts";
import { eachButtonFaults } from "./buttons.ts";
import { faultIf, list, type Of, type Placed, placed, upper } from "./rule.ts";
import { bodyFaults, mediaSampleFaults } from "./texts.ts";

const LEAST_CARDS = 2;
const MOST_CARDS = 10;
const MOST_BUTTONS = 2;
const CARD_MEDIA = ["IMAGE", "VIDEO"];
/** Headers of other components, which no card has. */
const NOT_OF_CARDS = ["", "TEXT", "DOCUMENT", "GIF", "LOCATION"];

/** Cloud API documentation, templates: media card carousel. Cards with products have headers that only the provider checks. */
export function carouselFaults({ at, fields }: Placed, of: Of): FieldError[] {
  const place = `${at}/cards`;
  const cards = placed(list(fields["cards"]), place);
  const shapes = new Set(cards.map(shapeOf));
  return [
    ...faultIf(
      cards.length < LEAST_CARDS || cards.length > MOST_CARDS,
      place,
      "count",
      `Give ${LEAST_CARDS} to ${MOST_CARDS} cards.`,
    ),
    ...faultIf(
      shapes.size > 1,
      place,
      "cards_differ",
      "Give all cards the same components, the same header format and the same kinds of buttons in the same order.",
    ),
    ...cards.flatMap((card) => cardFaults(card, of)),
  ];
}

function cardFaults({ at, fields }: Placed, of: Of): FieldError[] {
  const parts = partsOf({ at, fields });
  const header = parts.find(({ fields: part }) => upper(part["type"]) === "HEADER");
  const format = upper(header?.fields["format"]);
  return [
    ...faultIf(
      NOT_OF_CARDS.includes(format),
      header === undefined ? `${at}/components` : `${header.at}/format`,
      "unsupported",
      "Give the card a header of the format IMAGE or VIDEO.",
    ),
    ...(header && CARD_MEDIA.includes(format) ? mediaSampleFaults(header) : []),
    ...parts.flatMap((part) => partFaults(part, of)),
  ];
}

function partFaults(part: Placed, of: Of): FieldError[] {
  const type = upper(part.fields["type"]);
  if (type === "BODY") return bodyFaults(part, of);
  if (type !== "BUTTONS") return [];
  const place = `${part.at}/buttons`;
  const buttons = placed(list(part.fields["buttons"]), place);
  return [
    ...faultIf(buttons.length > MOST_BUTTONS, place, "too_many", `Leave at most ${MOST_BUTTONS} buttons on a card.`),
    ...eachButtonFaults(buttons),
  ];
}

const partsOf = ({ at, fields }: Placed): Placed[] => placed(list(fields["components"]), `${at}/components`);

/** What all cards have in common: kinds of components, header format, kinds of buttons. */
const shapeOf = (card: Placed): string =>
  partsOf(card)
    .map(({ fields }) => {
      const buttons = placed(list(fields["buttons"]), "").map((button) => upper(button.fields["type"]));
      return [upper(fields["type"]), upper(fields["format"]), ...buttons].join(" ");
    })
    .toSorted()
    .join("|");
