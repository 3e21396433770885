import { traceId } from "../lib/ids.ts";

/** HTTP status and title of each code the simulator can answer (provider's error table of November 2025). */
const CODES: Readonly<Record<number, readonly [status: number, title: string]>> = {
  0: [401, "AuthException"],
  1: [400, "API Unknown"],
  2: [503, "API Service"],
  3: [500, "API Method"],
  4: [400, "API Too Many Calls"],
  10: [403, "Permission Denied"],
  17: [400, "User request limit reached"],
  32: [400, "Page request limit reached"],
  33: [400, "Parameter value is not valid"],
  100: [400, "Invalid parameter"],
  104: [401, "An access token is required to request this resource"],
  190: [401, "Access token has expired"],
  200: [403, "API Permission"],
  341: [400, "Application limit reached"],
  368: [403, "Temporarily blocked for policies violations"],
  613: [429, "Calls to this API have exceeded the rate limit"],
  80007: [400, "Rate limit issues"],
  80008: [400, "Too many calls to this WhatsApp Business account"],
  130403: [400, "Business has blocked this user"],
  130429: [400, "Rate limit hit"],
  130472: [400, "User's number is part of an experiment"],
  130497: [403, "Business account is restricted from messaging users in this country"],
  131000: [500, "Something went wrong"],
  131005: [403, "Access denied"],
  131008: [400, "Required parameter is missing"],
  131009: [400, "Parameter value is not valid"],
  131016: [500, "Service unavailable"],
  131021: [400, "Recipient cannot be sender"],
  131026: [400, "Message undeliverable"],
  131030: [400, "Recipient phone number not in allowed list"],
  131031: [403, "Account has been locked"],
  131037: [400, "Display name approval required"],
  131042: [400, "Business eligibility payment issue"],
  131045: [500, "Incorrect certificate"],
  131047: [400, "Re-engagement message"],
  131064: [400, "Messaging limit for template misclassification"],
  131048: [400, "Spam rate limit hit"],
  131049: [400, "This message was not delivered to maintain healthy ecosystem engagement"],
  131050: [400, "User has stopped marketing messages"],
  131051: [400, "Unsupported message type"],
  131052: [400, "Media download error"],
  131053: [400, "Media upload error"],
  131056: [400, "(Business Account, Consumer Account) pair rate limit hit"],
  131057: [500, "Account in maintenance mode"],
  131059: [400, "Invalid paging cursor"],
  131061: [400, "Template with a maximum price is not supported by this endpoint"],
  131062: [400, "Business-scoped User ID (BSUID) recipients are not supported for this message"],
  131063: [400, "Marketing templates must be sent with the Marketing Messages API"],
  131065: [400, "A maximum price is not available in this country"],
  131070: [400, "Another responder owns this conversation"],
  132000: [400, "Number of parameters does not match the expected number of params"],
  132001: [404, "Template name does not exist in the translation"],
  132005: [400, "Translated text too long"],
  132007: [400, "Template format character policy violated"],
  132012: [400, "Parameter format does not match format in the created template"],
  132015: [400, "Template is paused"],
  132016: [400, "Template is disabled"],
  132018: [400, "There's an issue with the parameters in your template"],
  133004: [503, "Server temporarily unavailable"],
  133005: [400, "Two step verification PIN mismatch"],
  133006: [400, "Phone number re-verification needed"],
  133010: [400, "Phone number not registered"],
  133016: [400, "Account register and deregister rate limit exceeded"],
  135000: [400, "Generic user error"],
  136024: [400, "Phone number is verified already"],
  137000: [400, "Identity key hash mismatch"],
  139200: [400, "Direct sending is blocked for this account"],
  2494191: [400, "Taking control of this conversation is not allowed"],
};

const ERROR_PAGE = "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/";

export type GraphErrorBody = {
  error: {
    message: string;
    type: string;
    code: number;
    error_data?: { messaging_product: "whatsapp"; details: string };
    error_subcode?: number;
    error_user_title?: string;
    error_user_msg?: string;
    fbtrace_id: string;
  };
};

/** A refusal in the provider's envelope (provider reference 2.1); thrown by checks, answered by the routes. */
export class GraphError extends Error {
  readonly code: number;
  readonly httpStatus: number;
  readonly body: GraphErrorBody;

  constructor(code: number, httpStatus: number, error: Omit<GraphErrorBody["error"], "code" | "fbtrace_id">) {
    super(error.message);
    this.name = "GraphError";
    this.code = code;
    this.httpStatus = httpStatus;
    const { message, type, ...rest } = error;
    this.body = { error: { message, type, code, ...rest, fbtrace_id: traceId() } };
  }
}

/** A refusal of a message or template, with `error_data.details`; `subcode` and the HTTP status only when given. */
export function refusal(
  code: number,
  details: string,
  more: { subcode?: number; httpStatus?: number } = {},
): GraphError {
  const [httpStatus, title] = CODES[code] ?? [400, "Unknown error"];
  return new GraphError(code, more.httpStatus ?? httpStatus, {
    message: `(#${code}) ${title}`,
    type: "OAuthException",
    error_data: { messaging_product: "whatsapp", details },
    ...(more.subcode === undefined ? {} : { error_subcode: more.subcode }),
  });
}

/** The refusal of more or fewer parameters than the template has. */
export function wrongCount(where: string, given: number, expected: number): GraphError {
  return refusal(
    132000,
    `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
  );
}

/** A refusal of the Graph layer itself, whose message is a sentence and which has no `error_data`. */
export function graphRefusal(
  code: number,
  message: string,
  more: { subcode?: number; type?: string; title?: string; text?: string } = {},
): GraphError {
  return new GraphError(code, CODES[code]?.[0] ?? 400, {
    message,
    type: more.type ?? "OAuthException",
    ...(more.subcode === undefined ? {} : { error_subcode: more.subcode }),
    ...(more.title === undefined ? {} : { error_user_title: more.title }),
    ...(more.text === undefined ? {} : { error_user_msg: more.text }),
  });
}

/** Code 100 with subcode 33: the object is unknown, or the token does not reach it; the provider does not say which. */
export function unknownObject(id: string, verb: "get" | "post" | "delete"): GraphError {
  return graphRefusal(
    100,
    `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, ` +
      "or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api",
    { subcode: 33, type: "GraphMethodException" },
  );
}

/** An entry of `statuses[].errors` (provider reference 2.2). */
export type StatusError = {
  code: number;
  title: string;
  message: string;
  error_data: { details: string };
  href: string;
};

export function statusError(code: number): StatusError {
  const title = CODES[code]?.[1] ?? "Unknown error";
  const details = ASYNC_DETAILS[code] ?? title;
  return { code, title, message: title, error_data: { details }, href: ERROR_PAGE };
}

const ASYNC_DETAILS: Readonly<Record<number, string>> = {
  131026: "Unable to deliver.",
  131047:
    "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
  131049: "In order to maintain a healthy ecosystem engagement, the message failed to be delivered.",
};
