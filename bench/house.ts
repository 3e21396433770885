import { FILLED, fillHouse, HOUSE_MESSAGES } from "./filled-house.ts";
import type { Part } from "./part.ts";

/** The same part with an empty database and with five million messages, in turns. */
export const inBothHouses = (part: Part): Part => ({
  ...part,
  name: "house",
  title: `${part.title}; at an empty database, and at ${HOUSE_MESSAGES.toLocaleString("en-US")} messages`,
  onlyNamed: true,
  beside: undefined,
  bounds: {},
  ratios: { "accepted/s": { atLeast: 0.9 }, "sent/s": { atLeast: 0.9 } },
  cases: [
    { name: "empty", async prepare() {} },
    { name: FILLED, prepare: ({ databaseUrl, known }) => fillHouse(databaseUrl, HOUSE_MESSAGES, known) },
  ],
});
