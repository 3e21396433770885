import { expect, test } from "vitest";
import { FEATURES } from "../packages/server/src/features.ts";
import { formatId, type IdPrefix, newUuid } from "../packages/server/src/lib/ids.ts";

/** Its own types are those of a browser, which tests do not have. */
const BY_ID: string = "../packages/console/src/shell/keys/by-id.ts";
const { placesOfId } = (await import(BY_ID)) as { placesOfId(id: string, session: object): object[] };

const PREFIXES = FEATURES.flatMap(({ ids = {} }) => Object.keys(ids)) as IdPrefix[]; // as each declares them
const AT = Date.parse("2026-02-01T00:00:00.000Z");
const workspace = { id: formatId("ws", newUuid(AT)), name: "Acme" };

/** Prefixes of ids that a person cannot follow in the console, each with its reason. */
const WITHOUT: Partial<Record<IdPrefix, string>> = {};

test.each(PREFIXES)("a pasted id %s_… leads to a page, or there is a reason", (prefix) => {
  const places = placesOfId(formatId(prefix, newUuid(AT)), { kind: "operator", workspace });
  expect([places.length > 0, WITHOUT[prefix] !== undefined].filter(Boolean)).toHaveLength(1);
});
