import { countRows } from "../../packages/server/src/testing/dump-tables.ts";
import { type Gateway, ORDER_READY } from "../../packages/server/src/testing/gateway.ts";

let people = 0;
/** A recipient that this test file has not used yet. */
export const person = (): string => `+1555800${String((people += 1)).padStart(4, "0")}`;

/** The body of a message that is accepted. */
export const good = (to = person()) => ({ to, type: "template", template: ORDER_READY });

/** An approved template with its two parameters. */
export const ORDER_UPDATE = {
  name: "order_update",
  language: { code: "en_US", policy: "deterministic" },
  components: [
    {
      type: "body",
      parameters: [
        { type: "text", text: "Ana" },
        { type: "text", text: "A17" },
      ],
    },
  ],
};

/**
 * Numbers of rows of all tables except `audit`, which records refusals, `flight`, which has calls in flight, and those of metrics and
 * usage, which are counted in the background.
 */
export async function rowsOf(gateway: Gateway): Promise<Record<string, number>> {
  await gateway.audited();
  // What was said of the recipients of earlier messages is about to be learned, and its rows to go.
  await gateway.features.services.identityResolver.resolve();
  const counted = Object.entries(await countRows(gateway.database.url));
  return Object.fromEntries(
    counted.filter(([table]) => !/^(attempt_count|audit|flight|metric.*|usage_.*|service_.*)$/.test(table)),
  );
}
