import { FILLED, FILLED_MESSAGES, fillDatabase } from "./filled-database.ts";
import type { Part } from "./part.ts";

/** The same part with an empty database and with five million messages, in turns. */
export const emptyAndFilled = (part: Part): Part => ({
  ...part,
  name: FILLED,
  title: `${part.title}; at an empty database, and at ${FILLED_MESSAGES.toLocaleString("en-US")} messages`,
  onlyNamed: true,
  beside: undefined,
  bounds: {},
  ratios: { "accepted/s": { atLeast: 0.9 }, "sent/s": { atLeast: 0.9 } },
  cases: [
    { name: "empty", async prepare() {} },
    { name: FILLED, prepare: ({ databaseUrl, known }) => fillDatabase(databaseUrl, FILLED_MESSAGES, known) },
  ],
});
