import { beforeAll, expect, it } from "vitest";
import { takeGoldenTemplates } from "../../testing/golden-templates.ts";
import { person, startSenders } from "../../testing/senders.ts";
import {
  action,
  body,
  button,
  card,
  ends,
  header,
  LINK,
  media,
  offer,
  templateOf,
  text,
} from "../../testing/template-parts.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { mine, sentTo } = senders;
beforeAll(() => takeGoldenTemplates(senders));

const currency = { fallback_value: "$12.34", code: "USD", amount_1000: 12_340 };
const date = media("date_time", { fallback_value: "May 1" });

it("what the provider documents in capitals is taken in any case, and sent as it documents it", async () => {
  const to = person();
  const send = async (template: object) => {
    const reply = await mine.call("POST", "/v1/messages", { body: { to, type: "template", template } });
    expect([reply.status, reply.body.errors]).toEqual([202, undefined]);
    await mine.becomes(reply.body.id, "accepted");
    const sent = sentTo(to).find(({ opaque }) => opaque?.includes(reply.body.id));
    const wire = sent?.request as { template: { components: unknown } } | undefined;
    return [reply.body.template.components, wire?.template.components];
  };
  const thumbnail = { thumbnail_product_retailer_id: "sku" };
  for (const [type, subType] of [
    ["button", "CATALOG"],
    ["BUTTON", "catalog"],
  ] as const) {
    const given = { ...button(subType, "0", { type: "ACTION", action: thumbnail }), type };
    const [shown, wire] = await send(templateOf("whole_catalog", given));
    expect(shown).toEqual([button("catalog", "0", action(thumbnail))]);
    expect(wire).toEqual([button("CATALOG", "0", action(thumbnail))]);
  }
  const [, wire] = await send(
    templateOf(
      "order_ready_photo",
      { ...header({ type: "IMAGE", image: { link: LINK } }), type: "HEADER" },
      { ...body(text("Ana"), media("currency", { ...currency, code: "usd" }), date), type: "Body" },
      button("URL", "0", { type: "TEXT", text: "17" }),
      button("QUICK_REPLY", "1", { type: "PAYLOAD", payload: "STOP" }),
    ),
  );
  expect(wire).toEqual([
    header(media("image", { link: LINK })),
    body(text("Ana"), media("currency", currency), date),
    button("url", "0", text("17")),
    button("quick_reply", "1", { type: "payload", payload: "STOP" }),
  ]);
  const [, sale] = await send(
    offer({ type: "LIMITED_TIME_OFFER", parameters: [{ ...ends(1_893_456_000_000), type: "LIMITED_TIME_OFFER" }] }),
  );
  expect(sale).toEqual(offer({ type: "limited_time_offer", parameters: [ends(1_893_456_000_000)] }).components);
  const capitals = card(1).components.map((one) => ({ ...one, type: one.type.toUpperCase() }));
  const [, teas] = await send(
    templateOf("new_teas", body(text("Ana")), {
      type: "CAROUSEL",
      cards: [card(0), { card_index: 1, components: capitals }],
    }),
  );
  expect(teas).toEqual([body(text("Ana")), { type: "carousel", cards: [card(0), card(1)] }]);
});
