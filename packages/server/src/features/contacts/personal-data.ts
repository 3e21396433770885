/** What may be said of people: what they wrote and what they are called, their numbers, their user ids, and the provider's ids of messages and calls. */
export type OfPeople = "text" | "number" | "user_id" | "provider_id";

/** A table that has, or may have, data of the people whom a workspace exchanges messages with. */
export type PersonalData = {
  table: string;
  holds: string;
  /** What `DELETE /v1/contacts/{id}` does to it, and how long it stays otherwise. */
  erasure: string;
  /** What may still be in its rows once the erasure is done; left out: nothing. A test looks through every table for the rest. */
  stays?: readonly OfPeople[];
};

const EVERYTHING: readonly OfPeople[] = ["text", "number", "user_id", "provider_id"];
const AT_ONCE = "at once";
const CALLBACKS = "stays for the retention of `callbacks`";

/**
 * Every place of personal data, as docs/privacy.md lists it. Each table of the database is here or in `WITHOUT_PERSONAL_DATA`: a test
 * fails for a new one until it is decided.
 */
export const PERSONAL_DATA: readonly PersonalData[] = [
  { table: "contact", holds: "names, numbers, ids, e-mail, attributes, tags, consent", erasure: AT_ONCE },
  {
    table: "segment",
    holds: "names and filters as the client wrote them, which may name people",
    erasure: "stays until the segment is changed or deleted",
  },
  { table: "identifier", holds: "every form of a number and every id by which a person was known", erasure: AT_ONCE },
  { table: "contact_merge", holds: "records as they were before they were merged", erasure: AT_ONCE },
  { table: "conversation", holds: "when a person last wrote, and who answers", erasure: AT_ONCE },
  {
    table: "contact_evidence",
    holds: "what the provider said of a person, until it is applied",
    erasure: "within a minute; not applied after the erasure",
  },
  {
    table: "new_owner",
    holds: "numbers that came with another user id in the last ten minutes",
    erasure: AT_ONCE,
  },
  {
    table: "message",
    holds: "content, numbers, `reference`",
    erasure: "not returned or sent from the erasure on; rewritten within seconds, of very many messages within minutes",
  },
  {
    table: "message_state",
    holds: "the provider's id of a message, which holds the person's number; the provider's error",
    erasure: "not returned; stays with the message, so that late reports find it",
    stays: ["provider_id"],
  },
  {
    table: "provider_message",
    holds: "the same ids",
    erasure: "stays with the message: a callback that the provider repeats is known again by it",
    stays: ["provider_id"],
  },
  {
    table: "history",
    holds: "the provider's errors, and its ids of conversations",
    erasure: "not returned; stays with the message",
    stays: ["text"],
  },
  {
    table: "attempt",
    holds: "the provider's ids and errors",
    erasure: "not returned; stays with the message",
    stays: ["provider_id"],
  },
  {
    table: "parked_status",
    holds: "the provider's ids of messages that are not known yet, and of their conversations",
    erasure: "stays for 7 days",
    stays: ["provider_id", "text"],
  },
  {
    table: "parked_payment",
    holds: "the provider's ids of messages that are not known yet, and what the business calls a payment for them",
    erasure: "stays for 7 days; not returned after the erasure",
    stays: ["provider_id", "text"],
  },
  {
    table: "event",
    holds:
      "the provider's ids and errors, its words for a marketing setting, and what the business calls a payment; content is read from message and contact",
    erasure: "rendered without them, also for deliveries that wait; stays for the retention of `events`",
    stays: ["provider_id", "text"],
  },
  {
    table: "delivery",
    holds: "the beginning of what your endpoint answered",
    erasure: "stays for the retention of `deliveries`",
  },
  {
    table: "idempotency_key",
    holds: "answers that are kept for repetitions, sealed",
    erasure: "at once; a repeated send returns the emptied message",
  },
  { table: "kept_answer_contact", holds: "whose data is in a kept answer", erasure: AT_ONCE },
  {
    table: "audit",
    holds:
      "addresses and user agents of callers, ids of contacts; no numbers, names, tags or content: a path is kept without what is no id, the URL of an endpoint as its host",
    erasure: "stays for the retention of `audit`",
  },
  { table: "callback", holds: "callbacks as the provider sent them", erasure: CALLBACKS, stays: EVERYTHING },
  {
    table: "quarantine",
    holds: "changes that could not be applied, as the provider sent them",
    erasure: CALLBACKS,
    stays: EVERYTHING,
  },
  {
    table: "portfolio_recipient",
    holds: "keyed digests of the people written to",
    erasure: "stays for 25 hours: the provider counts them too",
  },
  { table: "portfolio_return", holds: "keyed digests of people who were not reached", erasure: "stays for 25 hours" },
  {
    table: "opt_out_of_erased",
    holds: "keyed digests of numbers and user ids of erased people who had opted out of marketing",
    erasure: "stays, so that nobody with the same number is sent marketing unless they allow it",
  },
  {
    table: "erased_name",
    holds: "until when a number or user id was that of somebody who was erased, by keyed digests",
    erasure: "stays for 190 days, so that a history or phone book of before does not bring them back",
  },
  {
    table: "erased_contact",
    holds: "that there was a contact of this id, and when it was erased",
    erasure: "is what stays",
  },
];

/** Tables without any: what workspaces, accounts and the gateway itself are, queues of ids, and counts. */
export const WITHOUT_PERSONAL_DATA: readonly string[] = [
  "api_demand",
  "api_key",
  "business_account",
  "business_account_route",
  "contact_import",
  "contact_import_error",
  "deliver",
  "dispatch",
  "embedded_signup",
  "emptied_event",
  "flight",
  "function_use",
  "held",
  "ingest",
  "installation",
  "job",
  "joined_conversation",
  "key_digest",
  "migration",
  "phone_number",
  "phone_number_pin",
  "phone_number_route",
  "portfolio_limit",
  "provider_notice",
  "service_frontier",
  "service_slice",
  "service_use",
  "slot",
  "task",
  "template",
  "template_submission",
  "usage_day",
  "usage_frontier",
  "usage_slice",
  "webhook_endpoint",
  "worker",
  "workspace",
];
