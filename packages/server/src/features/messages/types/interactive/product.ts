import { Type } from "typebox";
import { interactiveKind } from "./kind.ts";
import { body, footer, text } from "./parts.ts";

/** Longer ids of catalogs and products are mistakes; the provider names no limit. */
const LONGEST_ID = 256;

export const catalogId = text(LONGEST_ID, "The id of the catalog that is connected to the account.");
export const productId = text(LONGEST_ID, "Your id of the product in the catalog.");

export const product = interactiveKind({
  name: "product",
  description: "One product of a catalog.",
  parts: { body: Type.Optional(body), footer },
  action: Type.Object({ catalog_id: catalogId, product_retailer_id: productId }),
});
