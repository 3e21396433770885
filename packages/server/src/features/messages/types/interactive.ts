import { addressMessage } from "./interactive/address-message.ts";
import { button } from "./interactive/button.ts";
import { callPermission } from "./interactive/call-permission.ts";
import { carousel } from "./interactive/carousel.ts";
import { catalogMessage } from "./interactive/catalog-message.ts";
import { contactRequest } from "./interactive/contact-request.ts";
import { ctaUrl } from "./interactive/cta-url.ts";
import { flow } from "./interactive/flow.ts";
import { list } from "./interactive/list.ts";
import { locationRequest } from "./interactive/location-request.ts";
import { product } from "./interactive/product.ts";
import { productList } from "./interactive/product-list.ts";
import { voiceCall } from "./interactive/voice-call.ts";
import { messageType } from "./message-type.ts";
import { OpenUnion } from "./open-union.ts";

/** The kinds of interactive message. Others, such as those for payments, reach the provider as they are given. */
const INTERACTIVE = new OpenUnion(
  "type",
  [
    button,
    list,
    ctaUrl,
    flow,
    product,
    productList,
    catalogMessage,
    locationRequest,
    addressMessage,
    voiceCall,
    callPermission,
    carousel,
    contactRequest,
  ],
  { $id: "Interactive", description: "Buttons, lists and other parts that the person acts on; `type` says which." },
);

export const interactive = messageType({
  name: "interactive",
  content: INTERACTIVE.schema,
  needsWindow: true,
  description: "An interactive message.",
  shown: "For an interactive message: its `type`, `header`, `body`, `footer` and `action`.",
  check: (content, at) => INTERACTIVE.check(content, at),
  spell: (content) => INTERACTIVE.spell(content),
});
