/** What each client is asked to do, in the order of the table. A client reports every one of them, or that it does not offer it. */
export const OPERATIONS = [
  "send text",
  "send text that quotes",
  "send image by link",
  "send image by id",
  "send video by link",
  "send audio by link",
  "send document by link",
  "send sticker by link",
  "send location",
  "send contacts",
  "send reaction",
  "take reaction back",
  "send reply buttons",
  "send list",
  "send link button",
  "send flow",
  "send product",
  "send products",
  "send catalog",
  "send carousel",
  "ask for location",
  "ask for address",
  "ask for contact",
  "ask for call permission",
  "send call button",
  "send template",
  "send template, positional",
  "send template, named",
  "send template, media and buttons",
  "send template, authentication",
  "refusal is an error with its code",
  "mark as read",
  "show typing",
  "upload media",
  "read media",
  "download media",
  "delete media",
  "list templates",
  "page through templates",
  "read template",
  "create template",
  "create template with a sample",
  "edit template",
  "delete template",
  "list numbers",
  "read number, all its fields",
  "read account",
  "list accounts of the business",
  "read business profile",
  "write business profile",
  "register number",
  "subscribe with a callback URL",
  "unsubscribe",
  "check signatures",
];

/** What of a receiver at the gateway is reported beside its deliveries and handlers. */
export const RECEIVING = ["receive nothing else"];

/** What the gateway takes in of the fields that an endpoint can ask for, and does not pass on: parts of `parts.mjs`, each with its reason. */
const KEPT = [
  {
    is: ({ item }) => item.recipient_type === "group",
    reason: "of a message to a group there is a status for each person in it",
  },
  { is: ({ list }) => list === "user_actions", reason: "it does not say whose it is" },
  { is: ({ name }) => name === "marketing signup", reason: "the person has agreed before: it changes nothing" },
];
export const isPassedOn = (part) => KEPT.every(({ is }) => !is(part));

/**
 * What is known to fail, each with its reason: a mistake of the client at something that the documentation has, or a call that
 * the documentation has not. `operation` is one of the list or `parse *`, where `*` stands for any text, and only failures whose
 * text has `error` in it are meant. An exception that is not needed any more fails the suite, so that it is removed. `places`: where, by
 * default with the simulator alone; `client` `*`: of every client that offers it.
 */
export const EXCEPTIONS = [
  {
    client: "*",
    places: ["gateway"],
    operation: "register number",
    error: "egister",
    reason: "the gateway registers numbers itself, and refuses the call with a text that says how (code 10)",
  },
  {
    client: "great-detail",
    operation: "download media",
    error: "401 Unauthorized",
    reason: "asks without its token; the documentation needs it, and an address of the gateway's carries its own right",
  },
  {
    client: "whatsapp-business",
    operation: "parse *",
    error: "forEach is not a function",
    reason: "takes every field messages for a list; a callback with another kind of change has something else there",
  },
  {
    client: "whatsapp-business",
    operation: "parse *",
    error: "reading '0'",
    reason: "needs contacts beside messages; they are left out of system messages, and at times of others",
  },
  {
    client: "whatsapp-api-js",
    operation: "send contacts",
    places: ["simulator", "gateway"],
    error: "Param contacts must be of type array",
    reason: "sends the cards within an object under the key component; the documentation has an array",
  },
  {
    client: "kapso",
    operation: "read template",
    places: ["simulator", "gateway"],
    error: "Unknown path components: /9001/message_templates/1689556908129832",
    reason: "reads a template below its account; the documentation reads it at its own id",
  },
  {
    client: "pywa",
    operation: "parse *",
    error: "'TemplateLanguage' object is not callable",
    reason: "cannot read a language that it does not list; callbacks have en-US in the documentation's samples",
  },
  {
    client: "pywa",
    operation: "parse *",
    error: "KeyError: 'contacts'",
    reason:
      "needs contacts beside statuses, echoes and ends of calls; the documentation has them of people's messages, and of statuses only unless they failed",
  },
  {
    client: "pywa",
    operation: "parse message-system-user-id*",
    error: "KeyError: 'from'",
    reason: "needs the number of a person whose user id changed; the documentation leaves it out with a hidden number",
  },
  {
    client: "pywa",
    operation: "parse *: user id change 1",
    error: "KeyError: 'from'",
    reason: "as above; it reads the same message with the number",
  },
  {
    client: "pywa",
    operation: "parse *: as before user ids 1",
    error: "KeyError: 'user_id'",
    reason: "needs user_id in contacts; before April 2026 they had none",
  },
  {
    client: "pywa",
    operation: "parse *system*",
    error: "KeyError: 'identity'",
    reason: "looks for the identity beside the system message; the documentation has it within",
  },
  {
    client: "pywa",
    operation: "parse message-user-id-in-from",
    error: "KeyError: 'user_id'",
    reason: "needs user_id in contacts; the form of third parties has the user id in wa_id",
  },
  {
    client: "pywa",
    operation: "parse status-failed-short-error",
    error: "KeyError: 'message'",
    reason: "needs a message in errors of statuses; third parties have seen only code and title",
  },
  {
    client: "pywa",
    operation: "parse status-milliseconds",
    error: "is out of range",
    reason: "reads all timestamps as seconds; third parties have seen milliseconds",
  },
  {
    client: "pywa",
    operation: "parse template-without-name",
    error: "KeyError: 'message_template_name'",
    reason: "needs the template's name, which is left out at times",
  },
  {
    client: "pywa",
    operation: "hear at the gateway GroupMessageStatusesHandler",
    error: "it got no delivery",
    reason: "the gateway passes no statuses of messages to groups on",
  },
  {
    client: "wacloudapi",
    operation: "show typing",
    places: ["simulator", "gateway"],
    error: "Param status must be",
    reason:
      "sends status typing and a recipient; the documentation has typing_indicator in what marks a message as read",
  },
  {
    client: "wacloudapi",
    operation: "read media",
    places: ["simulator", "gateway"],
    error: "expected i64",
    reason: "needs the size of a file as a number; the documentation has text",
  },
  {
    client: "wacloudapi",
    operation: "download media",
    places: ["simulator", "gateway"],
    error: "expected i64",
    reason: "reads the media first, and its size as a number",
  },
  {
    client: "wacloudapi",
    operation: "check signatures",
    places: ["simulator", "gateway"],
    error: "[false, false] instead of",
    reason: "has a placeholder instead of HMAC-SHA256, so it takes no signature for right",
  },
  {
    client: "wacloudapi",
    operation: "parse *",
    error: "missing field `message_id`",
    reason: "needs message_id in the context of a message; the documentation has id, and neither of what was forwarded",
  },
  {
    client: "wacloudapi",
    operation: "parse *",
    error: "missing field `wa_id`",
    reason: "needs wa_id in contacts; the documentation leaves it out with a hidden number",
  },
  {
    client: "wacloudapi",
    operation: "parse *",
    error: "missing field `from`",
    reason: "needs the number of a person whose user id changed; the documentation leaves it out with a hidden number",
  },
  {
    client: "wacloudapi",
    operation: "parse live: price without billable *",
    error: "missing field `billable`",
    reason: "needs billable in prices, which the provider has announced to take away",
  },
  {
    client: "wacloudapi",
    operation: "parse status-user-id",
    error: "missing field `recipient_id`",
    reason: "needs recipient_id; the documentation has recipient_user_id alone for a person with a hidden number",
  },
  {
    client: "wacloudapi",
    operation: "parse *",
    error: "missing field `emoji`",
    reason: "needs the emoji of a reaction; the documentation leaves it out when the reaction was taken back",
  },
  {
    client: "wacloudapi",
    operation: "parse *order*",
    error: "integer `30`, expected a string",
    reason: "needs prices of orders as text; they are numbers here, and the documentation names no type",
  },
  {
    client: "whatsapp-business-rs",
    operation: "register number",
    error: "Cannot parse access token",
    reason:
      "exchanges the code of a signup with grant_type client_credentials, which asks for the app's own token; the documentation has no grant_type there",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse *",
    error: "ContentResponseDeAdjacentHelper",
    reason:
      "refuses a callback with a type of message that it does not list: contacts, button, system, edit, revoke, request_welcome and new ones",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse *",
    error: "InteractiveContentResponse",
    reason: "refuses a callback with an interactive reply that it does not list: flows, addresses, call permissions",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse *",
    error: "audio/ogg; codecs=opus",
    reason: "cannot read a media type with a parameter; voice notes have one",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse *",
    error: "missing field `from`",
    reason: "needs the sender's number; the documentation leaves it out when it is hidden",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse *",
    error: "missing field `emoji`",
    reason: "needs the emoji of a reaction; the documentation leaves it out when the reaction was taken back",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse message-no-contacts",
    error: "Missing 'user' field",
    reason: "needs contacts beside messages; they are left out at times",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse *",
    error: "unknown variant `played`",
    reason: "cannot read the status played",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse *payment*",
    error: "expected one of `accepted`, `delivered`",
    reason: "takes the statuses of payments, which the documentation has beside those of messages, for the message's",
  },
  {
    client: "whatsapp-business-rs",
    operation: "parse status-username",
    error: "Missing 'context' field",
    reason: "needs wa_id in contacts; the documentation leaves it out with a hidden number",
  },
];
