import { action, body, button, header, LINK, media, text } from "../../messages/testing/template-parts.ts";

// What sends of the templates of definitions.ts are put together from.

export const place = header(text("Ana"));
export const three = body(text("17"), text("Ana"), text("ready"));
export const named = (name: string, value = "A") => text(value, { parameter_name: name });
export const named3 = [header(named("first_name")), body(named("state"), named("order_id"))];
export const image = media("image", { link: LINK });
export const payload = (value: string) => ({ type: "payload", payload: value });
export const suffix = button("url", 1, text("17"));
export const code = (value: string, other = value) => [body(text(value)), button("url", "0", text(other))];
export const products = action({
  thumbnail_product_retailer_id: "a",
  sections: [{ product_items: [{ product_retailer_id: "a" }] }],
});
export const end = { type: "limited_time_offer", limited_time_offer: { expiration_time_ms: 1_893_456_000_000 } };
export const cardOf = (card_index: number, ...components: unknown[]) => ({
  card_index,
  components: [header(image), body(text("Tea")), button("url", 1, text("tea")), ...components],
});
export const cards = (...given: unknown[]) => [body(text("Ana")), { type: "carousel", cards: given }];

/** Template, what is special, components. */
