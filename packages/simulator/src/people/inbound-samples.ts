/**
 * What people can send, by name: the keys of the message, with the objects that the documentation shows. `about` is the message
 * that it is about: a quoted, edited or revoked one, or the one with the button; `customer` the number of who sends it, if known.
 */
type Sample = (about: string, customer: string | null) => { type: string } & Record<string, unknown>;

const interactive = (kind: string, content: Record<string, unknown>): Sample => {
  return (id) => ({ type: "interactive", interactive: { type: kind, [kind]: content }, context: { id } });
};

const SAMPLES = {
  text: () => ({ type: "text", text: { body: "Is it open today?" } }),
  image: () => ({ type: "image", image: { caption: "The box" } }),
  video: () => ({ type: "video", video: { caption: "How it opens" } }),
  audio: () => ({ type: "audio", audio: { voice: false } }),
  voice: () => ({ type: "audio", audio: { voice: true } }),
  document: () => ({
    type: "document",
    document: { filename: "invoice.pdf", caption: "The invoice" },
  }),
  sticker: () => ({ type: "sticker", sticker: { animated: false } }),
  location: () => ({
    type: "location",
    location: { latitude: 52.52, longitude: 13.405, name: "Shop", address: "1 High Street" },
  }),
  contacts: () => ({
    type: "contacts",
    contacts: [
      {
        name: { formatted_name: "Bo", first_name: "Bo" },
        phones: [{ phone: "+1 555 000 2222", wa_id: "15550002222", type: "CELL" }],
      },
    ],
  }),
  reaction: (id) => ({ type: "reaction", reaction: { message_id: id, emoji: "👍" } }),
  reaction_removed: (id) => ({ type: "reaction", reaction: { message_id: id } }),
  button: (id) => ({ type: "button", button: { payload: "SHOW", text: "Show me" }, context: { id } }),
  button_reply: interactive("button_reply", { id: "yes", title: "Yes" }),
  list_reply: interactive("list_reply", { id: "express", title: "Express", description: "By tomorrow" }),
  flow_reply: interactive("nfm_reply", { name: "flow", body: "Sent", response_json: '{"size":"L"}' }),
  address_reply: interactive("nfm_reply", {
    name: "address_message",
    body: "1 High Street",
    response_json: '{"values":{"address":"1 High Street","city":"Berlin"}}',
  }),
  call_permission_reply: interactive("call_permission_reply", {
    response: "accept",
    expiration_timestamp: 1_790_604_800,
    response_source: "user_action",
  }),
  order: () => ({
    type: "order",
    order: {
      catalog_id: "194836987003835",
      text: "Please gift-wrap it",
      product_items: [{ product_retailer_id: "sku-1", quantity: 2, item_price: 30, currency: "USD" }],
    },
  }),
  system: (_about: string, customer: string | null) => ({
    type: "system",
    identity: { acknowledged: false, created_timestamp: "1790000001", hash: "DF2lS5v2W6x=" },
    system: {
      body: "The security code changed",
      type: "customer_identity_changed",
      identity: "DF2lS5v2W6x=",
      ...(customer === null ? {} : { customer }),
    },
  }),
  unsupported: () => ({
    type: "unsupported",
    errors: [
      {
        code: 131051,
        title: "Message type unknown",
        message: "Message type unknown",
        error_data: { details: "Message type is currently not supported." },
      },
    ],
    unsupported: { type: "poll_creation" },
  }),
  edit: (id) => ({
    type: "edit",
    edit: { original_message_id: id, message: { type: "text", text: { body: "Is it open tomorrow?" } } },
  }),
  revoke: (id) => ({ type: "revoke", revoke: { original_message_id: id } }),
  request_welcome: () => ({ type: "request_welcome" }),
  reply: (id) => ({ type: "text", text: { body: "This one" }, context: { id } }),
  forwarded: () => ({ type: "text", text: { body: "Look" }, context: { forwarded: true } }),
  frequently_forwarded: () => ({ type: "text", text: { body: "Look" }, context: { frequently_forwarded: true } }),
  product_question: (id) => ({
    type: "text",
    text: { body: "Is it in stock?" },
    context: { id, referred_product: { catalog_id: "194836987003835", product_retailer_id: "sku-1" } },
  }),
  referral: () => ({
    type: "text",
    text: { body: "Hi" },
    referral: {
      source_url: "https://fb.me/x",
      source_id: "1200",
      source_type: "ad",
      headline: "Sale",
      body: "Until Sunday",
      media_type: "image",
      image_url: "https://cdn.example/ad.jpg",
      ctwa_clid: "ARA1",
      welcome_message: { text: "Hi! What are you looking for?" },
    },
  }),
  group: () => ({ type: "text", text: { body: "Hi all" }, group_id: "Y2FwaV9ncm91cDox" }),
} satisfies Record<string, Sample>;

export type InboundSample = keyof typeof SAMPLES;

export const INBOUND_SAMPLES = Object.keys(SAMPLES) as InboundSample[]; // the keys are these

/** The message's keys that the sample stands for. */
export const sampleMessage = (name: InboundSample, about: string, customer: string | null): Record<string, unknown> =>
  SAMPLES[name](about, customer);

/** The first bytes of a file of each kind, by which programs tell it, and enough for a test to compare. */
const FILES: Partial<Record<InboundSample, { mimeType: string; begins: string }>> = {
  image: { mimeType: "image/jpeg", begins: "ffd8ffe000104a46494600010100000100010000ffd9" },
  video: { mimeType: "video/mp4", begins: "00000018667479706d703432000000006d70343269736f6d" },
  audio: { mimeType: "audio/mpeg", begins: "49443303000000000000fffb9000" },
  voice: {
    mimeType: "audio/ogg; codecs=opus",
    begins: "4f6767530002000000000000000000000000000000000000000001134f70757348656164",
  },
  document: { mimeType: "application/pdf", begins: "255044462d312e340a25e2e3cfd30a" },
  sticker: { mimeType: "image/webp", begins: "524946461a000000574542505650384c0d0000002f00000010071011118888fe0700" },
};

/** The file that a sample of media brings: its object has everything but what this says. */
export function sampleFile(name: InboundSample): { mimeType: string; bytes: Buffer } | undefined {
  const file = FILES[name];
  return file && { mimeType: file.mimeType, bytes: Buffer.from(file.begins, "hex") };
}

/** Whether what the sample is about is the person's own message; otherwise it is the business's. */
export const isAboutOwn = (name: InboundSample): boolean => name === "edit" || name === "revoke";
