import { Type } from "typebox";
import type { Credential } from "../credentials.ts";
import type { ErrorFormat } from "../error-format.ts";
import { Problem } from "../problem.ts";
import { type AnyRoute, type RawRoute, route } from "../route.ts";
import type { Surface } from "../surface.ts";

/** A contract unlike the gateway's own: other paths, other ways to name the caller, another envelope and other statuses, no audit. */
const ENVELOPE: ErrorFormat = {
  mediaType: "application/json",
  status: ({ code, status }) => (code === "unauthorized" ? 403 : status),
  body: (problem, { requestId: trace }) => {
    const { code, message } = problem;
    return JSON.stringify({
      error: { kind: code, message, trace, ...(problem instanceof NoKey ? { missing: true } : {}) },
    });
  },
};
/** Such a contract may tell apart what is one thing for the gateway. */
class NoKey extends Problem {}

const key = {
  describe: () => ({ type: "apiKey" }),
  find: ((text, keys) => keys.authenticate(text)) as Credential["find"],
};
const IN_HEADER: Credential = {
  ...key,
  scheme: "keyInHeader",
  read: ({ headers }) => (typeof headers["x-front-key"] === "string" ? headers["x-front-key"] : null),
};
/** As a browser session would: another site can make a browser send the cookie, but not from the same origin. */
const IN_COOKIE: Credential = {
  ...key,
  scheme: "keyInCookie",
  read: ({ headers }) =>
    headers["sec-fetch-site"] === "same-origin"
      ? (/(?:^|; )front=([^;]*)/.exec(headers.cookie ?? "")?.[1] ?? null)
      : null,
};
const IN_QUERY: Credential = {
  ...key,
  scheme: "keyInQuery",
  read: ({ url = "" }) => new URL(url, "http://front.example").searchParams.get("access_token"),
};

const callers: Surface["callers"] = {
  auth: "workspace",
  credentials: [IN_HEADER, IN_COOKIE, IN_QUERY],
  challenge: null,
  refusal: ({ headers }) =>
    headers["x-front-key"] === undefined
      ? new NoKey("unauthorized", "Log in.")
      : new Problem("unauthorized", "The key is not valid."),
};
/** With callers. */
const FRONT: Surface = {
  name: "front",
  claims: [{ path: /^\/v\d+\.\d+\/\d+\/messages$/ }, { path: /^\/messages$/, methods: ["POST"] }, { path: "/front/" }],
  callers,
  errors: ENVELOPE,
  audited: false,
};
/** The same without. */
const OPEN_FRONT: Surface = { ...FRONT, name: "open-front", claims: [{ path: "/open-front/" }], callers: null };

const Sent = Type.Object({ to: Type.String({ maxLength: 20 }) });
const common = {
  tag: "Workspace" as const,
  summary: "Front",
  description: "For tests.",
  auth: "workspace" as const,
  surface: "front",
  path: "/v{version}/{id}/messages",
  params: Type.Object({ version: Type.String(), id: Type.String() }),
  status: 200,
  response: Type.Unknown(),
};
const ROUTES: AnyRoute[] = [
  route({
    ...common,
    kind: "own",
    method: "POST",
    action: "front.send",
    scope: "contacts:write",
    body: Sent,
    maxBytes: 1_000,
    verb: (ctx, { params, body }) =>
      body.to === "fault"
        ? Promise.reject(new Error("a fault of the verb"))
        : Promise.resolve({ body: { ...params, ...body, workspace: ctx.workspaceId, key: ctx.key !== null } }),
  }),
  route({
    ...common,
    kind: "read",
    method: "GET",
    action: "front.get",
    scope: "contacts:read",
    query: Type.Object({ access_token: Type.Optional(Type.String()) }),
    verb: (_ctx, { params }) => Promise.resolve({ body: params }),
  }),
  route({
    ...common,
    kind: "own",
    method: "DELETE",
    action: "front.delete",
    scope: "audit:read",
    verb: () => Promise.resolve({ body: {} }),
  }),
  route({
    ...common,
    kind: "own",
    method: "POST",
    path: "/messages",
    params: Type.Object({}),
    action: "front.send",
    scope: null,
    body: Sent,
    verb: (_ctx, { body }) => Promise.resolve({ body }),
  }),
];

const bytes = { method: "POST", summary: "Bytes", maxBytes: 1_000 } as const;
const handle: RawRoute["handle"] = ({ body }) => Promise.resolve({ status: 200, body: `${body.length}` });
const RAW_ROUTES: RawRoute[] = [
  { ...bytes, path: "/front/bytes", surface: "front", handle },
  { ...bytes, path: "/open-front/bytes", surface: "open-front", handle },
];

/** What the echo server gets beside its own. */
export const WITH_FRONT = { routes: ROUTES, rawRoutes: RAW_ROUTES, surfaces: [FRONT, OPEN_FRONT] };
