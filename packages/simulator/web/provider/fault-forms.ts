/** A field of a fault; `texts` are words, separated by commas. */
export type Field = { label: string; type: "number" | "yes" | "texts"; value: string };

export const FIELDS: Readonly<Record<string, Field>> = {
  code: { label: "Error code", type: "number", value: "131016" },
  httpStatus: { label: "HTTP status", type: "number", value: "502" },
  delayMs: { label: "Milliseconds", type: "number", value: "3000" },
  statuses: { label: "Statuses, in their order", type: "texts", value: "read, delivered, sent" },
  accept: { label: "The message exists all the same", type: "yes", value: "" },
};

type Form = { name: string; about: string; fields: readonly string[] };

/** What each kind needs (docs/simulator.md, "What was sent, and faults"). */
export const FORMS: Readonly<Record<string, Form>> = {
  refuse: { name: "Refuse", about: "The call is answered with this error.", fields: ["code"] },
  fail: { name: "Accept, then fail", about: "A send is accepted, and the status failed follows.", fields: ["code"] },
  html: {
    name: "Page of HTML",
    about: "A page instead of an answer, as from a machine in between.",
    fields: ["httpStatus", "accept"],
  },
  hang: { name: "No answer", about: "The caller waits until it gives up.", fields: ["accept"] },
  reset: { name: "Connection reset", about: "The connection ends instead of an answer.", fields: ["accept"] },
  no_id: { name: "Answer without an id", about: "200, and nothing says which message it is.", fields: [] },
  delay: { name: "Slow answer", about: "The usual answer, later.", fields: ["delayMs"] },
  statuses: { name: "Other statuses", about: "Exactly these statuses, in this order.", fields: ["statuses"] },
  early: { name: "Statuses ahead", about: "The statuses arrive at once, the answer later.", fields: ["delayMs"] },
};

/** Calls of management that a fault can be for; `management` is any. */
export const OPERATIONS = [
  "management",
  "create_template",
  "edit_template",
  "delete_template",
  "list_templates",
  "get_template",
  "get_account",
  "list_phone_numbers",
  "get_phone_number",
  "subscribe",
  "get_profile",
  "update_profile",
  "register",
  "exchange_code",
  "debug_token",
  "upload_media",
  "get_media",
  "download_media",
];
