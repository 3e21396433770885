import { expectTypeOf, test } from "vitest";
import type { Message, Template, UnknownEvent, WebhookEvent } from "./index.ts";

// Checked by the compiler: `npm run check`.
test("the kind of an event says what its data is, and a kind of a newer gateway is one too", () => {
  const typed = (event: WebhookEvent): void => {
    expectTypeOf(event.id).toEqualTypeOf<string>();
    switch (event.kind) {
      case "delivered":
        expectTypeOf(event.data.message).toEqualTypeOf<Message | null>();
        expectTypeOf(event.category).toEqualTypeOf<"message_status">();
        break;
      case "approved":
        expectTypeOf(event.data.template).toEqualTypeOf<Template>();
        break;
      case "endpoint_test":
        expectTypeOf(event.data.reason).toEqualTypeOf<string | null>();
        break;
      default:
        expectTypeOf(event.kind).toExtend<string>();
    }
    if (event.kind === "payment_updated") expectTypeOf(event.data.payment.status).toEqualTypeOf<string | null>();
    // @ts-expect-error no event has this kind
    if (event.kind === "deliverd") return;
  };
  expectTypeOf(typed).parameter(0).toExtend<{ kind: string }>();
  expectTypeOf<Exclude<WebhookEvent, UnknownEvent>["kind"]>().toExtend<string>();
});
