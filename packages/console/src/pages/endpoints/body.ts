import type { NewWebhookEndpoint } from "@waypost/sdk";
import type { Given } from "../../parts/form-field.ts";
import type { EventKind, ProviderField } from "./kinds.ts";

/** What the form gives, as the API takes it; the API says what of it does not fit. */
export function newEndpoint(given: Given): NewWebhookEndpoint {
  const isProvider = given.text("format") === "provider";
  const numbers = given.list("phone_number_ids");
  const headers = headersIn(given.text("headers"));
  const timeout = given.number("timeout_seconds");
  const secret = given.text("secret");
  return {
    url: given.text("url"),
    description: given.orNull("description"),
    ordered: given.is("ordered"),
    enabled: given.is("enabled"),
    rate_per_second: given.number("rate_per_second"),
    ...(isProvider
      ? {
          format: "provider",
          fields: given.list("fields") as ProviderField[], // the form's own
          verify_token: given.orNull("verify_token"),
          ...(secret === "" ? {} : { secret }),
        }
      : { events: given.list("events") as EventKind[] }), // as above
    ...(numbers.length === 0 ? {} : { phone_number_ids: numbers }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(timeout === null ? {} : { timeout_seconds: timeout }),
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
