import { Type } from "typebox";
import { interactiveKind } from "./kind.ts";
import { body, footer, textHeader } from "./parts.ts";
import { catalogId, productId } from "./product.ts";
import { checkSections, sectionsOf } from "./sections.ts";

/** In all sections together. */
const MOST_PRODUCTS = 30;

export const productSections = sectionsOf(
  "product_items",
  Type.Object({ product_retailer_id: productId }),
  MOST_PRODUCTS,
);

/** Throws the Problem of sections with too many products, or without their titles. */
export const checkProductSections = (sections: Parameters<typeof checkSections<"product_items">>[0], at: string) =>
  checkSections(sections, "product_items", MOST_PRODUCTS, at);

export const productList = interactiveKind({
  name: "product_list",
  description: "Up to thirty products of a catalog.",
  parts: { header: textHeader, body, footer },
  action: Type.Object({ catalog_id: catalogId, sections: productSections }),
  check: ({ sections }, at) => checkProductSections(sections, `${at}/sections`),
});
