import type { Call } from "../../../http/call.ts";
import { Problem } from "../../../http/problem.ts";

type Refused = { method: Call["method"]; path: string; summary: string; instead: string };

const CONNECT =
  "Waypost connects accounts itself: use the embedded signup of the console, or `POST /v1/business-accounts` with a token.";
const REGISTER =
  "Waypost registers phone numbers itself, when an embedded signup connects them: `POST /v1/embedded-signups/{id}/resume` repeats it.";
const PIN = "Waypost sets two-step verification PINs itself, and keeps them: they are part of its embedded signup.";
const SUBSCRIBE =
  "Waypost's own app is subscribed. Create an endpoint for callbacks with `POST /v1/webhook-endpoints`, or with `POST /{account}/subscribed_apps`.";

/** What would give away, replace or end what Waypost keeps for the workspace. */
const REFUSED: readonly Refused[] = [
  { method: "POST", path: "/{number}/register", summary: "Register a phone number", instead: REGISTER },
  { method: "POST", path: "/{number}/deregister", summary: "Deregister a phone number", instead: REGISTER },
  { method: "POST", path: "/{number}/request_code", summary: "Ask for a verification code", instead: REGISTER },
  { method: "POST", path: "/{number}/verify_code", summary: "Verify a phone number", instead: REGISTER },
  { method: "POST", path: "/{account}/phone_numbers", summary: "Add a phone number", instead: CONNECT },
  { method: "GET", path: "/oauth/access_token", summary: "Exchange a code or a token", instead: CONNECT },
  { method: "POST", path: "/oauth/access_token", summary: "Exchange a code or a token", instead: CONNECT },
  { method: "GET", path: "/{app}/subscriptions", summary: "List an app's subscriptions", instead: SUBSCRIBE },
  { method: "POST", path: "/{app}/subscriptions", summary: "Subscribe an app", instead: SUBSCRIBE },
  { method: "DELETE", path: "/{app}/subscriptions", summary: "Unsubscribe an app", instead: SUBSCRIBE },
];

/** The calls that Waypost refuses because it does them in its own way, which the refusal names. */
export const refusedCalls = (): Call[] =>
  REFUSED.map(({ method, path, summary, instead }) => ({
    method,
    path,
    summary,
    kind: "refused",
    scope: null,
    limitedKeys: "all",
    action: "refused_call.ask",
    answer: () => Promise.reject(refusal(instead)),
  }));

/** The refusal of `POST /{number}` with a PIN. */
export const pinRefusal = (): Problem => refusal(PIN);

const refusal = (instead: string): Problem =>
  new Problem("forbidden", instead, { graph: { status: 403, code: 10, title: instead } });
