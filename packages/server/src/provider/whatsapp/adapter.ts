import type { Proxy } from "../../lib/safe-fetch/proxy.ts";
import type { Provider } from "../provider.ts";
import {
  ACCOUNT_FIELDS,
  PHONE_NUMBER_FIELDS,
  parseAccount,
  parsePhoneNumber,
  parseSubscribedApp,
  parseTemplate,
  TEMPLATE_FIELDS,
} from "./assets.ts";
import { parseCallback } from "./callbacks/callbacks.ts";
import { cutCallback } from "./callbacks/cut.ts";
import { routingKey } from "./callbacks/routing-key.ts";
import { writeCallback } from "./callbacks/write.ts";
import { Graph, tokenFault } from "./graph.ts";
import { DEFAULT_TIMEOUTS, type HttpTimeouts, ProviderHttp } from "./http.ts";
import { ManagementQuota } from "./management-quota.ts";
import { mediaCalls } from "./media.ts";
import { MediaHost } from "./media-host.ts";
import { sendOutcome } from "./outcome.ts";
import { passedCalls } from "./passed.ts";
import { readBody, sendBody } from "./payloads.ts";
import { profileCalls } from "./profile.ts";
import { readEach, readOne, successOf } from "./reading.ts";
import { isSignature, sameText, verifySignature } from "./signature.ts";
import { signupCalls } from "./signup.ts";
import { templateCalls } from "./templates.ts";
import { threadCalls } from "./threads.ts";
import { idOfTimeZone } from "./time-zones.ts";

export type WhatsAppOptions = {
  /** `https://graph.facebook.com`, or the simulator's; may have a path. */
  baseUrl: string;
  /** `v26.0` */
  apiVersion: string;
  /** All are tried to verify callbacks; the first also signs our calls (`appsecret_proof`). Empty: no signature, and every callback is refused. */
  appSecrets: readonly string[];
  /** Empty or null: every handshake is refused. */
  verifyToken: string | null;
  /** Our app's id, for embedded signups and samples of templates; without it both are refused. */
  appId?: string | null;
  timeouts?: HttpTimeouts;
  /** Through which files are fetched that lie elsewhere than the API; default: none. */
  proxy?: Proxy | undefined;
  /** Milliseconds of a clock that only goes on, for the quota of management calls; default: this machine's. */
  monotonic?: () => number;
};

/** The WhatsApp Cloud API as a `Provider`. Throws only for an invalid base URL. */
export function createWhatsApp(options: WhatsAppOptions): Provider {
  const base = new URL(options.baseUrl);
  const root = `${base.pathname.replace(/\/+$/, "")}/${encodeURIComponent(options.apiVersion)}`;
  const http = new ProviderHttp(base.origin, options.timeouts);
  const quota = new ManagementQuota(options.monotonic ?? (() => performance.now()));
  const { totalMs } = options.timeouts ?? DEFAULT_TIMEOUTS;
  const host = new MediaHost({ apiOrigin: base.origin, proxy: options.proxy, silenceMs: totalMs });
  const graph = new Graph(http, root, options.appSecrets[0] ?? null, quota);
  return {
    async send(request) {
      const { accessToken, mayWrite, signal } = request;
      const fault = tokenFault(accessToken);
      if (fault !== null) return { kind: "definite_no", error: fault };
      const body = JSON.stringify(sendBody(request));
      const path = `${encodeURIComponent(request.providerPhoneNumberId)}/messages`;
      return sendOutcome(await graph.post(path, { accessToken, body, mayWrite, signal }), accessToken, request.type);
    },
    writeSend(message) {
      const { biz_opaque_callback_data: _own, ...body } = sendBody({ ...message, correlationToken: "" });
      const number = encodeURIComponent(message.providerPhoneNumberId);
      return { method: "POST", path: `/${options.apiVersion}/${number}/messages`, body };
    },
    async markRead(request) {
      const { accessToken, signal } = request;
      const path = `${encodeURIComponent(request.providerPhoneNumberId)}/messages`;
      const answer = await graph.callWith(path, { accessToken, body: JSON.stringify(readBody(request)), signal });
      return successOf(answer, "receipt");
    },
    ...managementCalls(graph),
    ...templateCalls(graph, options.appId ?? null),
    ...profileCalls(graph),
    ...threadCalls(graph),
    ...mediaCalls(graph, host),
    ...passedCalls(graph),
    ...signupCalls(graph, {
      id: options.appId ?? null,
      secret: options.appSecrets[0] ?? null,
      dialog: `${dialogOrigin(base)}${root}/dialog/oauth`,
    }),
    timeZoneId: idOfTimeZone,
    answerHandshake: (query) => answerHandshake(options.verifyToken, query),
    isSignature,
    verifySignature: (body, signature) => verifySignature(options.appSecrets, body, signature),
    routingKey,
    parseCallback,
    cutCallback,
    writeCallback,
    async close() {
      await Promise.all([http.close(), host.close()]);
    },
  };
}

/** People log in at `www.`, programs call `graph.`; elsewhere both are one (Cloud API documentation, embedded signup). */
const dialogOrigin = ({ protocol, host }: URL): string => `${protocol}//${host.replace(/^graph\./, "www.")}`;

/** Items on a page: 50 templates of the largest size stay within the response limit. */
const PAGE_SIZE = "50";

function managementCalls(
  graph: Graph,
): Pick<
  Provider,
  | "listPhoneNumbers"
  | "listTemplates"
  | "getTemplate"
  | "getAccount"
  | "isPhoneNumber"
  | "listSubscribedApps"
  | "subscribe"
> {
  return {
    async listPhoneNumbers(account) {
      const query = { fields: PHONE_NUMBER_FIELDS, limit: PAGE_SIZE };
      const path = `${encodeURIComponent(account.providerAccountId)}/phone_numbers`;
      const answer = await graph.list(path, query, account);
      return readEach(answer, parsePhoneNumber, "phone number");
    },
    async listTemplates({ name, ...account }) {
      const query = { fields: TEMPLATE_FIELDS, limit: PAGE_SIZE, ...(name === undefined ? {} : { name }) };
      const path = `${encodeURIComponent(account.providerAccountId)}/message_templates`;
      const answer = await graph.list(path, query, account);
      return readEach(answer, parseTemplate, "template");
    },
    async getTemplate({ providerTemplateId, ...access }) {
      const path = encodeURIComponent(providerTemplateId);
      const answer = await graph.call("GET", path, { fields: TEMPLATE_FIELDS }, access);
      return readOne(answer, parseTemplate, "template");
    },
    async getAccount(account) {
      const path = encodeURIComponent(account.providerAccountId);
      const answer = await graph.call("GET", path, { fields: ACCOUNT_FIELDS }, account);
      return readOne(answer, parseAccount, "account");
    },
    async isPhoneNumber(account) {
      const path = encodeURIComponent(account.providerAccountId);
      const answer = await graph.call("GET", path, { fields: PHONE_NUMBER_FIELDS }, account);
      return readOne(answer, parsePhoneNumber, "phone number").ok;
    },
    async listSubscribedApps(account) {
      const path = `${encodeURIComponent(account.providerAccountId)}/subscribed_apps`;
      return readEach(await graph.list(path, {}, account), parseSubscribedApp, "subscribed app");
    },
    async subscribe(account) {
      const path = `${encodeURIComponent(account.providerAccountId)}/subscribed_apps`;
      const answer = await graph.call("POST", path, {}, account);
      return successOf(answer, "subscription");
    },
  };
}

/** Cloud API documentation, webhooks: verification and signature. */
function answerHandshake(verifyToken: string | null, query: Record<string, string | undefined>): string | null {
  const given = query["hub.verify_token"];
  if (!verifyToken || given === undefined || query["hub.mode"] !== "subscribe") return null;
  return sameText(given, verifyToken) ? (query["hub.challenge"] ?? null) : null;
}
