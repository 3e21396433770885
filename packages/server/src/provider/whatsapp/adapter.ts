import type { CallResult, Provider } from "../provider.ts";
import {
  ACCOUNT_FIELDS,
  PHONE_NUMBER_FIELDS,
  parseAccount,
  parsePhoneNumber,
  parseTemplate,
  TEMPLATE_FIELDS,
} from "./assets.ts";
import { parseCallback } from "./callbacks.ts";
import { Graph, tokenFault, unreadable } from "./graph.ts";
import { type HttpTimeouts, ProviderHttp } from "./http.ts";
import { asRecord } from "./json.ts";
import { sendOutcome } from "./outcome.ts";
import { readBody, sendBody } from "./payloads.ts";
import { routingKey } from "./routing-key.ts";
import { sameText, verifySignature } from "./signature.ts";

export type WhatsAppOptions = {
  /** `https://graph.facebook.com`, or the simulator's; may have a path. */
  baseUrl: string;
  /** `v26.0` */
  apiVersion: string;
  /** All are tried to verify callbacks; the first also signs our calls (`appsecret_proof`). Empty: no signature, and every callback is refused. */
  appSecrets: readonly string[];
  /** Empty or null: every handshake is refused. */
  verifyToken: string | null;
  timeouts?: HttpTimeouts;
};

/** The WhatsApp Cloud API as a `Provider`. Throws only for an invalid base URL. */
export function createWhatsApp(options: WhatsAppOptions): Provider {
  const base = new URL(options.baseUrl);
  const root = `${base.pathname.replace(/\/+$/, "")}/${encodeURIComponent(options.apiVersion)}`;
  const http = new ProviderHttp(base.origin, options.timeouts);
  const graph = new Graph(http, root, options.appSecrets[0] ?? null);
  return {
    async send(request) {
      const { accessToken, mayWrite, signal } = request;
      const fault = tokenFault(accessToken);
      if (fault !== null) return { kind: "definite_no", error: fault };
      const body = JSON.stringify(sendBody(request));
      const path = `${encodeURIComponent(request.providerPhoneNumberId)}/messages`;
      return sendOutcome(await graph.post(path, { accessToken, body, mayWrite, signal }), accessToken, request.type);
    },
    async markRead(request) {
      const { accessToken, signal } = request;
      const path = `${encodeURIComponent(request.providerPhoneNumberId)}/messages`;
      const answer = await graph.callWith(path, { accessToken, body: JSON.stringify(readBody(request)), signal });
      return successOf(answer, "receipt");
    },
    ...managementCalls(graph),
    answerHandshake: (query) => answerHandshake(options.verifyToken, query),
    verifySignature: (body, signature) => verifySignature(options.appSecrets, body, signature),
    routingKey,
    parseCallback,
    close: () => http.close(),
  };
}

/** Items on a page: 50 templates of the largest size stay within the response limit. */
const PAGE_SIZE = "50";

function managementCalls(
  graph: Graph,
): Pick<Provider, "listPhoneNumbers" | "listTemplates" | "getTemplate" | "getAccount" | "subscribe"> {
  return {
    async listPhoneNumbers({ accessToken, providerAccountId }) {
      const query = { fields: PHONE_NUMBER_FIELDS, limit: PAGE_SIZE };
      const answer = await graph.list(`${encodeURIComponent(providerAccountId)}/phone_numbers`, query, accessToken);
      return readEach(answer, parsePhoneNumber, "phone number");
    },
    async listTemplates({ accessToken, providerAccountId, name }) {
      const query = { fields: TEMPLATE_FIELDS, limit: PAGE_SIZE, ...(name === undefined ? {} : { name }) };
      const answer = await graph.list(`${encodeURIComponent(providerAccountId)}/message_templates`, query, accessToken);
      return readEach(answer, parseTemplate, "template");
    },
    async getTemplate({ accessToken, providerTemplateId }) {
      const answer = await graph.call(
        "GET",
        encodeURIComponent(providerTemplateId),
        { fields: TEMPLATE_FIELDS },
        accessToken,
      );
      return readOne(answer, parseTemplate, "template");
    },
    async getAccount({ accessToken, providerAccountId }) {
      const answer = await graph.call(
        "GET",
        encodeURIComponent(providerAccountId),
        { fields: ACCOUNT_FIELDS },
        accessToken,
      );
      return readOne(answer, parseAccount, "account");
    },
    async subscribe({ accessToken, providerAccountId }) {
      const path = `${encodeURIComponent(providerAccountId)}/subscribed_apps`;
      const answer = await graph.call("POST", path, {}, accessToken);
      return successOf(answer, "subscription");
    },
  };
}

/** Of an answer that is `{"success":true}`. */
function successOf(answer: CallResult<unknown>, what: string): CallResult<null> {
  const readSuccess = (value: unknown): true | null => (asRecord(value)?.["success"] === true ? true : null);
  const success = readOne(answer, readSuccess, what);
  return success.ok ? { ok: true, value: null } : success;
}

function readOne<T>(answer: CallResult<unknown>, read: (value: unknown) => T | null, what: string): CallResult<T> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  return value === null ? unreadable(what) : { ok: true, value };
}

/** One unreadable item fails the list: a sync would take a missing item for a deletion. */
function readEach<T>(answer: CallResult<unknown[]>, read: (value: unknown) => T | null, what: string): CallResult<T[]> {
  if (!answer.ok) return answer;
  const values: T[] = [];
  for (const item of answer.value) {
    const value = read(item);
    if (value === null) return unreadable(what);
    values.push(value);
  }
  return { ok: true, value: values };
}

/** Cloud API documentation, webhooks: verification and signature. */
function answerHandshake(verifyToken: string | null, query: Record<string, string | undefined>): string | null {
  const given = query["hub.verify_token"];
  if (!verifyToken || given === undefined || query["hub.mode"] !== "subscribe") return null;
  return sameText(given, verifyToken) ? (query["hub.challenge"] ?? null) : null;
}
