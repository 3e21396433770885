import type { NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointChange } from "@waypost/sdk";
import type { Listened, ProviderField } from "../../api/event-kinds.ts";
import type { Given } from "../../parts/form-field.ts";
import type { Held } from "../../parts/version.ts";

/** What the form gives of a new endpoint, as the API takes it; the API says what of it does not fit. */
export function newEndpoint(given: Given): NewWebhookEndpoint {
  const {
    timeout_seconds: timeout,
    phone_number_ids: numbers,
    business_account_ids: accounts,
    ...rest
  } = stated(given);
  const headers = headersIn(given.text("headers"));
  const secret = given.text("secret");
  return {
    url: given.text("url"),
    ...rest,
    ...(given.text("format") === "provider"
      ? { format: "provider", ...fieldsIn(given), verify_token: given.orNull("verify_token") }
      : eventsIn(given)),
    ...(secret === "" ? {} : { secret }),
    ...(numbers == null ? {} : { phone_number_ids: numbers }),
    ...(accounts == null ? {} : { business_account_ids: accounts }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(timeout === null ? {} : { timeout_seconds: timeout }),
  };
}

/** What the form changes of an endpoint: what is as it was is not sent, so that it is not changed back. */
export function changeOf(given: Given, before: WebhookEndpoint): WebhookEndpointChange {
  const { timeout_seconds: timeout, ...rest } = stated(given);
  const after: WebhookEndpointChange = {
    url: given.text("url"),
    ...rest,
    ...(before.format === "provider" ? fieldsIn(given) : eventsIn(given)),
    ...(timeout === null ? {} : { timeout_seconds: timeout }),
  };
  const known: Readonly<Record<string, unknown>> = before;
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, known[name]));
  const token = given.text("verify_token");
  const removed = given.list("removed_headers").map((name): [string, null] => [name, null]);
  const headers = { ...Object.fromEntries(removed), ...headersIn(given.text("headers")) };
  return {
    ...Object.fromEntries(changed),
    ...(token === "" ? {} : { verify_token: token }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

/** What the fields hold of an endpoint. Not its headers: their values are not returned. */
export const heldOf = (endpoint: WebhookEndpoint): Held => ({
  url: endpoint.url,
  description: endpoint.description ?? "",
  events: endpoint.events,
  fields: endpoint.fields,
  enabled: endpoint.enabled,
  ordered: endpoint.ordered,
  phone_number_ids: endpoint.phone_number_ids ?? [],
  business_account_ids: endpoint.business_account_ids ?? [],
  timeout_seconds: String(endpoint.timeout_seconds),
  rate_per_second: String(endpoint.rate_per_second ?? ""),
});

/** In any order. */
const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((item) => other.includes(item))
    : JSON.stringify(one) === JSON.stringify(other ?? null);

const eventsIn = (given: Given) => ({ events: given.list("events") as Listened[] }); // the form's own
const fieldsIn = (given: Given) => ({ fields: given.list("fields") as ProviderField[] }); // as above

/** Limits are given only where the form could show them. */
function stated(given: Given) {
  const limit = <N extends string>(name: N): Partial<Record<N, string[] | null>> =>
    given.is(`${name}_shown`)
      ? ({ [name]: given.has(name) ? given.list(name) : null } as Partial<Record<N, string[] | null>>) // by its one key
      : {};
  return {
    description: given.orNull("description"),
    ordered: given.is("ordered"),
    enabled: given.is("enabled"),
    rate_per_second: given.number("rate_per_second"),
    timeout_seconds: given.number("timeout_seconds"),
    ...limit("phone_number_ids"),
    ...limit("business_account_ids"),
  };
}

/** Of `Name: value`, a line each; of a line without a colon the API says that it has no value. */
export function headersIn(lines: string): Record<string, string> {
  const pairs = lines
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line): [string, string] => {
      const colon = line.indexOf(":");
      return colon < 0 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
  return Object.fromEntries(pairs);
}
