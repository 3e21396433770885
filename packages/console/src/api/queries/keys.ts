/** The first parts of query keys, by which what changes is found. */
export const KEYS = {
  messageList: ["messages", "list"],
  message: ["messages", "one"],
  metrics: ["metrics"],
  templates: ["templates"],
  conversations: ["conversations"],
  segments: ["segments"],
  contact: ["contacts", "one"],
  accounts: ["accounts"],
  numbers: ["numbers"],
  signups: ["signups"],
  endpoints: ["endpoints"],
  deliveryList: ["deliveries", "list"],
  media: ["media"],
} as const;

/** Rows of a page of a list. */
export const PAGE_SIZE = 50;
