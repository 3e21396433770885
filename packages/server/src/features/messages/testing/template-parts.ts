// Builders of a template's content in the tests of sends.

export const LINK = "https://cdn.example/a.jpg";
export const templateOf = (name: string, ...components: unknown[]) => ({
  name,
  language: { code: "en_US" },
  components,
});
export const text = (value: unknown, more: object = {}) => ({ type: "text", text: value, ...more });
export const header = (...parameters: unknown[]) => ({ type: "header", parameters });
export const body = (...parameters: unknown[]) => ({ type: "body", parameters });
export const button = (sub_type: string, index: unknown, ...parameters: unknown[]) => ({
  type: "button",
  sub_type,
  index,
  parameters,
});
export const media = (type: string, object: object) => ({ type, [type]: object });
export const coupon = (code: string) => ({ type: "coupon_code", coupon_code: code });
export const action = (given: object) => ({ type: "action", action: given });

export const ends = (expiration_time_ms: unknown) => ({
  type: "limited_time_offer",
  limited_time_offer: { expiration_time_ms },
});
export const offer = (...components: unknown[]) =>
  templateOf(
    "spring_offer",
    header(media("image", { link: LINK })),
    body(text("Ana")),
    button("copy_code", 0, coupon("SPRING")),
    button("url", 1, text("spring")),
    ...components,
  );
export const card = (card_index: number, link: object = { link: LINK }) => ({
  card_index,
  components: [
    header(media("image", link)),
    body(text("Tea")),
    button("quick_reply", 0, { type: "payload", payload: "more" }),
    button("url", 1, text("tea")),
  ],
});
export const carousel = (...cards: unknown[]) => templateOf("new_teas", body(text("Ana")), { type: "carousel", cards });
