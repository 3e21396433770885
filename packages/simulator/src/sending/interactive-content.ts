import { isRecord } from "../lib/shape.ts";
import { ContentPart, checkDistinct, checkMediaSource } from "./content-part.ts";

// Limits of the provider's pages on interactive messages, in characters.
const HEADER_CHARS = 60;
const BODY_CHARS = 1_024;
const LIST_BODY_CHARS = 4_096;
const FOOTER_CHARS = 60;
const LABEL_CHARS = 20;
const CARD_BODY_CHARS = 160;
const CARD_LINE_BREAKS = 2;
const ANY_LENGTH = Number.POSITIVE_INFINITY;
/** 30 days. */
const MOST_CALL_MINUTES = 43_200;

type Check = (message: ContentPart) => void;

/** What each kind has beside the common parts; a kind that is not listed is accepted with them. */
const KINDS: Readonly<Record<string, Check>> = {
  button: (message) => checkReplyButtons(message.part("action")),
  list: checkList,
  cta_url: (message) => checkUrlAction(message.part("action")),
  flow: (message) => checkFlow(parametersOf(message.part("action"), "flow")),
  product: checkProduct,
  product_list: checkProductList,
  catalog_message: (message) => void actionNamed(message, "catalog_message").optionalPart("parameters"),
  location_request_message: (message) => void actionNamed(message, "send_location"),
  address_message: (message) => void parametersOf(message.part("action"), "address_message").text("country", 2),
  voice_call: checkVoiceCall,
  call_permission_request: (message) => void actionNamed(message, "call_permission_request"),
  request_contact_info: (message) => void actionNamed(message, "request_contact_info"),
  carousel: checkCarousel,
};

/** Throws the provider's refusal of an interactive message. */
export function checkInteractive(content: Record<string, unknown>): void {
  const message = new ContentPart(content, "interactive");
  const kind = message.text("type", ANY_LENGTH);
  message.part("action");
  const body = kind === "product" ? message.optionalPart("body") : message.part("body");
  body?.text("text", kind === "list" ? LIST_BODY_CHARS : BODY_CHARS);
  message.optionalPart("footer")?.text("text", FOOTER_CHARS);
  const header = message.optionalPart("header");
  if (header !== null) checkHeader(header, ["text", "image", "video", "document"]);
  KINDS[kind]?.(message);
}

function checkHeader(header: ContentPart, types: readonly string[]): void {
  const type = header.oneOf("type", types);
  if (type === "text") header.text("text", HEADER_CHARS);
  else checkMediaSource(header.part(type));
}

function actionNamed(message: ContentPart, name: string): ContentPart {
  const action = message.part("action");
  action.oneOf("name", [name]);
  return action;
}

function parametersOf(action: ContentPart, name: string): ContentPart {
  action.oneOf("name", [name]);
  return action.part("parameters");
}

function checkReplyButtons(action: ContentPart): void {
  const replies = action.parts("buttons", 1, 3).map((button) => {
    button.oneOf("type", ["reply"]);
    return button.part("reply");
  });
  for (const reply of replies) {
    const id = reply.text("id", 256);
    if (id.trim() !== id) throw reply.invalid("id", "must not begin or end with spaces");
    reply.text("title", LABEL_CHARS);
  }
  checkDistinct(replies, "id");
  checkDistinct(replies, "title");
}

function checkUrlAction(action: ContentPart): void {
  const parameters = parametersOf(action, "cta_url");
  parameters.text("display_text", LABEL_CHARS);
  if (!/^https?:\/\//.test(parameters.text("url", ANY_LENGTH)))
    throw parameters.invalid("url", "must be an http(s) URL");
}

function checkList(message: ContentPart): void {
  const header = message.optionalPart("header");
  if (header !== null) checkHeader(header, ["text"]);
  const action = message.part("action");
  action.text("button", LABEL_CHARS);
  const rows = itemsOf(action, "rows", 10);
  for (const row of rows) {
    row.text("id", 200);
    row.text("title", 24);
    row.optionalText("description", 72);
  }
  checkDistinct(rows, "id");
}

function checkProductList(message: ContentPart): void {
  checkHeader(message.part("header"), ["text"]);
  const action = message.part("action");
  action.text("catalog_id", ANY_LENGTH);
  for (const product of itemsOf(action, "product_items", 30)) product.text("product_retailer_id", ANY_LENGTH);
}

/** The items of all sections. */
function itemsOf(action: ContentPart, key: string, most: number): ContentPart[] {
  const sections = action.parts("sections", 1, 10);
  for (const section of sections) {
    if (sections.length > 1) section.text("title", 24);
    else section.optionalText("title", 24);
  }
  const items = sections.flatMap((section) => section.parts(key, 1, most));
  if (items.length > most) throw action.invalid("sections", `must have at most ${most} ${key} together`);
  return items;
}

function checkFlow(parameters: ContentPart): void {
  parameters.oneOf("flow_message_version", ["3"]);
  parameters.text("flow_cta", 30);
  if (parameters.has("flow_id") === parameters.has("flow_name"))
    throw parameters.invalid("flow_id", "or flow_name is required, and only one of them");
  if (parameters.has("mode")) parameters.oneOf("mode", ["draft", "published"]);
  if (parameters.has("flow_action")) parameters.oneOf("flow_action", ["navigate", "data_exchange"]);
  const payload = parameters.optionalPart("flow_action_payload");
  payload?.text("screen", ANY_LENGTH);
  const data = payload?.optionalPart("data") === null ? undefined : payload?.raw("data");
  if (data !== undefined && Object.keys(data as object).length === 0)
    throw payload?.invalid("data", "must not be empty");
}

function checkProduct(message: ContentPart): void {
  message.none("header");
  const action = message.part("action");
  action.text("catalog_id", ANY_LENGTH);
  action.text("product_retailer_id", ANY_LENGTH);
}

function checkVoiceCall(message: ContentPart): void {
  const parameters = actionNamed(message, "voice_call").optionalPart("parameters");
  parameters?.optionalText("display_text", LABEL_CHARS);
  if (parameters?.has("ttl_minutes") === true) parameters.integer("ttl_minutes", 1, MOST_CALL_MINUTES);
}

function checkCarousel(message: ContentPart): void {
  message.none("header");
  message.none("footer");
  const cards = message.part("action").parts("cards", 2, 10);
  checkDistinct(cards, "card_index");
  const replies = cards.flatMap((card, index) => {
    if (card.integer("card_index", 0, 9) !== index)
      throw card.invalid("card_index", "must be the place of the card, counted from 0");
    const header = card.part("header");
    checkHeader(header, ["image", "video"]);
    if (header.raw("type") !== cards[0]?.part("header").raw("type"))
      throw header.invalid("type", "must be the same for all cards");
    checkCardBody(card.optionalPart("body"));
    if (kindOf(card) !== kindOf(cards[0] ?? card))
      throw card.invalid("action", "must have the same kind and number of buttons for all cards");
    return checkCardAction(card);
  });
  checkDistinct(replies, "id");
}

function checkCardBody(body: ContentPart | null): void {
  const breaks = body?.text("text", CARD_BODY_CHARS).match(/\r\n|\r|\n/g)?.length ?? 0;
  if (breaks > CARD_LINE_BREAKS) throw body?.invalid("text", `must have at most ${CARD_LINE_BREAKS} line breaks`);
}

/** The types of a card's buttons in their order, or its own: with quick replies it may have one or not. */
function kindOf(card: ContentPart): string {
  const buttons = card.part("action").raw("buttons");
  const types = Array.isArray(buttons) ? buttons.map((one: unknown) => (isRecord(one) ? one["type"] : one)) : [];
  return types.length === 0 ? (card.optionalText("type", ANY_LENGTH) ?? "cta_url") : types.join(" ");
}

/** The replies of a card, which has them or one button that opens a page. Of types that are not known here nothing is required. */
function checkCardAction(card: ContentPart): ContentPart[] {
  const action = card.part("action");
  const opensPage = card.raw("type") === "cta_url" || (!card.has("type") && action.has("name"));
  if (opensPage && !action.has("buttons")) checkUrlAction(action);
  else if (action.has("buttons") || !card.has("type")) return quickRepliesIn(action);
  return [];
}

function quickRepliesIn(action: ContentPart): ContentPart[] {
  return action.parts("buttons", 1, 3).map((button) => {
    button.oneOf("type", ["quick_reply"]);
    const reply = button.part("quick_reply");
    reply.text("id", 256);
    reply.text("title", LABEL_CHARS);
    return reply;
  });
}
