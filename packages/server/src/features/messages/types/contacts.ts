import { type Static, Type } from "typebox";
import { invalidAt } from "../../../http/problem.ts";
import { DAY } from "../../../http/timestamps.ts";
import { messageType } from "./message-type.ts";

/** The provider's limit of cards in a message. It advises fewer, because older apps show few. */
const MOST_CARDS = 257;

const text = () => Type.Optional(Type.String());
const kindOf = (examples: string[]) => Type.Optional(Type.String({ description: "What it is used for.", examples }));

const Card = Type.Object(
  {
    name: Type.Object(
      {
        formatted_name: Type.String({ minLength: 1, description: "The name as it is shown." }),
        first_name: text(),
        last_name: text(),
        middle_name: text(),
        suffix: text(),
        prefix: text(),
      },
      { description: "`formatted_name` and at least one more part." },
    ),
    phones: Type.Optional(
      Type.Array(
        Type.Object({
          phone: text(),
          type: kindOf(["CELL"]),
          wa_id: Type.Optional(
            Type.String({ description: "The number as the provider calls it; with it the person can be written to." }),
          ),
        }),
      ),
    ),
    emails: Type.Optional(Type.Array(Type.Object({ email: text(), type: kindOf(["WORK"]) }))),
    addresses: Type.Optional(
      Type.Array(
        Type.Object({
          street: text(),
          city: text(),
          state: text(),
          zip: text(),
          country: text(),
          country_code: text(),
          type: kindOf(["HOME"]),
        }),
      ),
    ),
    org: Type.Optional(Type.Object({ company: text(), department: text(), title: text() })),
    urls: Type.Optional(Type.Array(Type.Object({ url: text(), type: kindOf(["WORK"]) }))),
    birthday: Type.Optional(Type.String({ pattern: DAY, description: "YYYY-MM-DD", examples: ["1990-04-17"] })),
  },
  { $id: "ContactCard" },
);

export const contacts = messageType({
  name: "contacts",
  content: Type.Array(Card, { minItems: 1, maxItems: MOST_CARDS, description: "Contact cards." }),
  needsWindow: true,
  description: "Contact cards.",
  shown: "For contacts: an array of the cards.",
  check: (cards, at) => {
    for (const [index, card] of cards.entries()) checkName(card, `${at}/${index}/name`);
  },
});

function checkName({ name }: Static<typeof Card>, at: string): void {
  const { formatted_name: _, ...parts } = name;
  if (Object.values(parts).some((part) => part !== "")) return;
  throw invalidAt(at, "Give one more part of the name beside `formatted_name`, such as `first_name`.", "required");
}
