import type { MessageFilter } from "../list.store.ts";

/** The filter that lets every message through. */
export const EVERYTHING: MessageFilter = {
  before: null,
  fromId: null,
  outbound: null,
  reported: null,
  unreported: null,
  received: false,
  type: null,
  to: null,
  from: null,
  contactIds: null,
  phoneNumberIds: null,
  betweenTwo: false,
  template: null,
  reference: null,
  providerMessageId: null,
  errorCode: null,
  createdAfter: null,
  createdBefore: null,
};
