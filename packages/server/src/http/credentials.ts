import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Authenticate, type Caller, OPERATOR } from "./caller.ts";
import type { Schema } from "./route.ts";

/** What a caller is found by, ahead of the body. Header names are lower case. */
export type RequestHead = Pick<IncomingMessage, "method" | "url" | "headers" | "socket">;

/** The sessions of the console, as requests show them: in a cookie, and only from the console's own pages. */
export type SessionKeys = {
  /** The cookie's value, of a request that a page of ours has made; null for any other. */
  read(head: RequestHead): string | null;
  /** The request has the console's cookie and no key, and a page of another site may have made it. */
  isUnproven(head: RequestHead): boolean;
  /** Who calls with it on the paths of a workspace, or of the operator; null when there is no such session, or it has ended. */
  find(value: string, auth: "workspace" | "operator"): Promise<Caller | null>;
};

/** The setup links of all workspaces. */
export type SetupLinkKeys = {
  /**
   * Who calls with the secret of a link, whatever became of the link; null where there is none. `isReading`: the call changes nothing.
   * Throws 429 for one that calls too often, and 503 where too many are looked up at this moment.
   */
  find(secret: string, isReading: boolean): Promise<Caller | null>;
};

/** What given credentials are compared with. */
export type Keys = {
  authenticate: Authenticate;
  /** Null: the gateway has no operator key, and no operator. */
  operatorKey: string | null;
  /** Null: the process has no console. */
  sessions: SessionKeys | null;
  /** Null: the process has none. */
  setupLinks: SetupLinkKeys | null;
};

/** One way in which a request names its caller: where it stands in the request, and who that is. */
export type Credential = {
  /** Its name among the security schemes of the API document. */
  scheme: string;
  /** The security scheme; `scopes` are all that there are. Null: no way for programs, and not in the document. */
  describe: ((scopes: readonly string[]) => Schema) | null;
  /** What the request gives; null when it does not name its caller in this way. */
  read(head: RequestHead, keys: Keys): string | null;
  /** The caller; null when what was given is not valid. */
  find(given: string, keys: Keys, head: RequestHead): Promise<Caller | null> | Caller | null;
};

/** An API key of a workspace as bearer token. */
export const API_KEY: Credential = {
  scheme: "apiKey",
  describe: (scopes) => ({
    type: "http",
    scheme: "bearer",
    description: `An API key, \`wp_live_…\`, which belongs to one workspace. Scopes: ${scopes.map((scope) => `\`${scope}\``).join(" ")}.`,
  }),
  read: bearerOf,
  find: (key, { authenticate }) => authenticate(key),
};

/** The same, also with the word that some clients of the provider send in place of Bearer. */
export const GRAPH_KEY: Credential = {
  ...API_KEY,
  read: ({ headers: { authorization } }) =>
    /^(?:bearer|oauth)[ \t]+(.*)$/i.exec(authorization ?? "")?.[1]?.trim() || null,
};

/** An API key in a header of its own, as clients of 360dialog send it. */
export const D360_API_KEY = ofHeader("d360-api-key");
/** The same, as clients of other gateways do. */
export const X_API_KEY = ofHeader("x-api-key");

function ofHeader(name: string): Credential {
  return {
    scheme: name,
    describe: null,
    read: ({ headers }) => {
      const given = headers[name];
      return (typeof given === "string" ? given.trim() : "") || null;
    },
    find: (key, { authenticate }) => authenticate(key),
  };
}

/** The operator's key as bearer token. */
export const OPERATOR_KEY: Credential = {
  scheme: "operatorKey",
  describe: () => ({
    type: "http",
    scheme: "bearer",
    description: "The value of `WAYPOST_OPERATOR_KEY` in the gateway's settings.",
  }),
  read: bearerOf,
  find: (key, { operatorKey }) => (operatorKey !== null && sameText(key, operatorKey) ? OPERATOR : null),
};

const ofSession = (auth: "workspace" | "operator"): Credential => ({
  scheme: "consoleSession",
  describe: null,
  read: (head, { sessions }) => sessions?.read(head) ?? null,
  find: (value, { sessions }) => sessions?.find(value, auth) ?? null,
});

/** A session of the console, of an API key or of the operator who has entered the workspace. */
export const WORKSPACE_SESSION = ofSession("workspace");
/** The operator's session of the console. */
export const OPERATOR_SESSION = ofSession("operator");

/** The secret of a setup link, as its page sends it. No cookie counts beside it. */
export const SETUP_LINK: Credential = {
  scheme: "setupLink",
  describe: null,
  read: bearerOf,
  find: (secret, { setupLinks }, { method }) => setupLinks?.find(secret, method === "GET") ?? null,
};

// Digests have one length, so the comparison reveals nothing, not even the key's length.
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));

function bearerOf({ headers: { authorization: header } }: RequestHead): string | null {
  if (header === undefined || header.length < 8 || !/^bearer[ \t]$/i.test(header.slice(0, 7))) return null;
  return header.slice(7).trim() || null;
}

const BEARER = "`Authorization: Bearer <API_KEY>`";

/** What to do about an Authorization header in which no valid key was found, without anything of it. */
export function whyNoBearer({ headers: { authorization: header } }: RequestHead): string {
  if (header === undefined || header.trim() === "") return `Send a valid key as ${BEARER}.`;
  const rest = /^bearer(?:\s+|$)(.*)$/i.exec(header.trim())?.[1];
  if (rest === undefined)
    return `The Authorization header does not begin with the word Bearer: send a valid key as ${BEARER}.`;
  if (/^bearer\b/i.test(rest))
    return `The Authorization header has the word Bearer twice, once in the key: send a valid key as ${BEARER}.`;
  if (/^["'`]|["'`]$/.test(rest))
    return `The key in the Authorization header stands in quotes: send a valid key as ${BEARER}, without them.`;
  if (/\s|\\[nr]/.test(rest))
    return `The key in the Authorization header has a space or a line end in it: send a valid key as ${BEARER}.`;
  return `Send a valid key as ${BEARER}.`;
}
