import { Type } from "typebox";
import { interactiveKind } from "./kind.ts";
import { namedActionWith, usualParts } from "./parts.ts";
import { productId } from "./product.ts";

export const catalogMessage = interactiveKind({
  name: "catalog_message",
  description: "A button that opens the catalog.",
  parts: usualParts,
  action: namedActionWith("catalog_message", Type.Object({ thumbnail_product_retailer_id: Type.Optional(productId) })),
});
