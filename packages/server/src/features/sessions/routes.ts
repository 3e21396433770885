import type { App } from "../../ctx.ts";
import { invalidAt, notFound, Problem } from "../../http/problem.ts";
import type { RawAnswer, RawRequest, RawRoute } from "../../http/route.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import type { Authenticator } from "../keys/authenticate.ts";
import { toNumbers } from "../keys/render.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";
import { type ConsolePlace, isFromElsewhere, placeOf, setCookie } from "./place.ts";
import { LIVES, type Session, type Sessions } from "./sessions.ts";
import type { Begun, Given, SignIn } from "./sign-in.ts";
import type { TestReceiver } from "./test-receiver.ts";

const MOST_BYTES = 4_096;
/** More than the largest webhook. */
const MOST_RECEIVED_BYTES = 1_048_576;

export type SessionRoutesDeps = {
  sessions: Sessions;
  signIn: SignIn;
  authenticator: Authenticator;
  /** Under `npm start` alone: codes of links, and a receiver of webhooks. */
  development: { codes: OneTimeCodes; receiver: TestReceiver } | null;
  /** What the page may know of the gateway: its version and, on a developer's machine, the simulator's address. */
  facts: { version: string; simulator_url: string | null };
};

const RECEIVER = "/console/receiver/{id}";

/** For the console's pages, and so not in the document of what programs can call. */
export function sessionRoutes(app: App, deps: SessionRoutesDeps): RawRoute[] {
  const paths = new SessionPaths(app, deps);
  const common = { role: "api", maxBytes: MOST_BYTES } as const;
  const route = (method: RawRoute["method"], path: string, summary: string, handle: RawRoute["handle"]): RawRoute => ({
    ...common,
    method,
    path,
    summary,
    handle,
  });
  const session = "/console/session";
  const entered = "/admin/v1/workspaces/{id}/sessions";
  const surface = "operator";
  return [
    route("POST", session, "Sign in to the console", (request) => paths.begin(request)),
    route("GET", session, "Session of the console", (request) => paths.show(request)),
    route("DELETE", session, "Sign out of the console", (request) => paths.end(request)),
    { ...route("POST", entered, "Enter a workspace in the console", (request) => paths.enter(request)), surface },
    { ...route("DELETE", entered, "Leave a workspace in the console", (request) => paths.leave(request)), surface },
    ...(deps.development === null
      ? []
      : [
          route("POST", "/console/codes", "Code for a link that signs in", (request) => paths.createCode(request)),
          route("GET", "/console/receiver", "Webhooks that came here", (request) => paths.received(request)),
          {
            ...route("POST", RECEIVER, "Receiver of webhooks", (request) => paths.receive(request)),
            maxBytes: MOST_RECEIVED_BYTES,
          },
        ]),
  ];
}

class SessionPaths {
  readonly #app: App;
  readonly #deps: SessionRoutesDeps;

  constructor(app: App, deps: SessionRoutesDeps) {
    this.#app = app;
    this.#deps = deps;
  }

  async begin(request: RawRequest): Promise<RawAnswer> {
    const place = this.#placeOf(request);
    if (isFromElsewhere(request, place)) throw new Problem("forbidden", "Sign in from the console's own page.");
    const begun = await this.#deps.signIn.begin(givenOf(request), request);
    const session = await this.#deps.sessions.get(begun.value);
    // Its key was revoked in this very moment.
    if (session === null) throw new Problem("unauthorized", "This is no valid key.");
    return withCookie(this.#shown(session), place, begun);
  }

  async show(request: RawRequest): Promise<RawAnswer> {
    const session = await this.#requireSession(request);
    this.#deps.sessions.used(session);
    return this.#shown(session);
  }

  /** Signing out without a session is done already. */
  async end(request: RawRequest): Promise<RawAnswer> {
    const place = this.#placeOf(request);
    if (this.#deps.sessions.isUnproven(request)) throw unproven();
    const session = await this.#sessionOf(request);
    if (session !== null) await this.#deps.signIn.end(session, request);
    return { status: 204, body: "", headers: { ...NO_STORE, "set-cookie": setCookie(place, "", 0) } };
  }

  async enter(request: RawRequest): Promise<RawAnswer> {
    const workspaceId = parseId("ws", request.params["id"] ?? "");
    if (workspaceId === null) throw notFound();
    return await this.#swap(request, workspaceId);
  }

  async leave(request: RawRequest): Promise<RawAnswer> {
    const session = await this.#requireOperator(request);
    if (session.workspace === null || session.workspace.id !== parseId("ws", request.params["id"] ?? ""))
      throw notFound();
    return await this.#swap(request, null);
  }

  async createCode(request: RawRequest): Promise<RawAnswer> {
    const { development, authenticator } = this.#deps;
    if (development === null || !this.#isOnThisMachine(request)) throw notFound();
    const { codes } = development;
    const key = /^bearer (.+)$/i.exec(String(request.headers["authorization"] ?? ""))?.[1] ?? "";
    const caller = await authenticator.authenticate(key);
    if (caller === null) throw request.refused() ?? new Problem("unauthorized", "Send an API key as bearer token.");
    if (caller.refusal !== undefined) throw caller.refusal;
    const { code, endsAt } = codes.create(caller);
    return json(201, { code, expires_at: new Date(endsAt).toISOString() });
  }

  receive(request: RawRequest): Promise<RawAnswer> {
    const workspaceId = parseId("ws", request.params["id"] ?? "");
    const { development } = this.#deps;
    if (development === null || workspaceId === null || !this.#isOnThisMachine(request)) throw notFound();
    development.receiver.take(workspaceId, request, this.#app.clock.now());
    return Promise.resolve({ status: 204, body: "" });
  }

  async received(request: RawRequest): Promise<RawAnswer> {
    const { workspace } = await this.#requireSession(request);
    const { development } = this.#deps;
    if (development === null || workspace === null) throw notFound();
    return json(200, { data: development.receiver.of(workspace.id) });
  }

  /** On the loopback address and without a proxy that ends TLS. */
  #isOnThisMachine(request: RawRequest): boolean {
    return placeOf(request, this.#app.config)?.secure === false;
  }

  async #swap(request: RawRequest, workspaceId: string | null): Promise<RawAnswer> {
    const session = await this.#requireOperator(request);
    const begun = await this.#deps.signIn.enter(session, workspaceId, request);
    return withCookie({ status: 204, body: "", headers: NO_STORE }, this.#placeOf(request), begun);
  }

  async #sessionOf(request: RawRequest): Promise<Session | null> {
    const value = this.#deps.sessions.read(request);
    return value === null ? null : await this.#deps.sessions.get(value);
  }

  async #requireSession(request: RawRequest): Promise<Session> {
    if (this.#deps.sessions.isUnproven(request)) throw unproven();
    const session = await this.#sessionOf(request);
    if (session === null) throw new Problem("unauthorized", "There is no session, or it has ended: sign in.");
    return session;
  }

  // The surface has let a key in as well as a session.
  async #requireOperator(request: RawRequest): Promise<Session> {
    const session = await this.#sessionOf(request);
    if (session?.kind !== "operator")
      throw new Problem(
        "conflict",
        "Only a session of the console enters a workspace. With the operator's key, create an API key of it.",
      );
    return session;
  }

  #placeOf(request: RawRequest): ConsolePlace {
    const place = placeOf(request, this.#app.config);
    if (place !== null) return place;
    throw new Problem(
      "forbidden",
      "The console needs https, or http on this machine alone: a cookie could be read on its way. Set PUBLIC_URL to the address of a proxy that ends TLS.",
    );
  }

  #shown({ kind, workspace, key, expiresAt, seenAt, place }: Session): RawAnswer {
    const { development, facts } = this.#deps;
    const body = {
      id: formatId("ses", place.id),
      kind,
      workspace: workspace && { id: formatId("ws", workspace.id), name: workspace.name },
      key: key && {
        id: formatId("key", key.id),
        name: key.name,
        scopes: key.scopes,
        phone_number_ids: toNumbers(key.phoneNumberIds),
      },
      expires_at: new Date(
        Math.min(expiresAt, Math.max(seenAt, this.#app.clock.now()) + LIVES[kind].idleMs),
      ).toISOString(),
      ...facts,
      receiver_path:
        development === null || workspace === null ? null : RECEIVER.replace("{id}", formatId("ws", workspace.id)),
    };
    return json(200, body, { "waypost-session": body.id });
  }
}

const unproven = (): Problem =>
  new Problem("forbidden", "The console's cookie counts only for requests of the console's own pages.");

const NO_STORE = { "cache-control": "no-store" };

const json = (status: number, body: object, headers: Record<string, string> = {}): RawAnswer => ({
  status,
  headers: { ...NO_STORE, "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(body),
});

const withCookie = (answer: RawAnswer, place: ConsolePlace, { value, seconds }: Begun): RawAnswer => ({
  ...answer,
  headers: { ...answer.headers, "set-cookie": setCookie(place, value, seconds) },
});

/** The body of a sign-in: JSON with `key` or `code`. */
function givenOf({ body }: RawRequest): Given {
  let given: unknown;
  try {
    given = JSON.parse(body.toString("utf8"));
  } catch {
    throw new Problem("invalid_json", "The body is no JSON.");
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalidAt("", "Send an object.", "invalid");
  const [[name, value] = [], ...more] = Object.entries(given);
  if ((name !== "key" && name !== "code") || more.length > 0)
    throw invalidAt(
      name === "key" || name === "code" || name === undefined ? "" : `/${name}`,
      "Send `key` or `code`, and nothing else.",
      "unknown_field",
    );
  if (typeof value !== "string" || value === "") throw invalidAt(`/${name}`, "It is a text.", "invalid");
  return name === "key" ? { key: value.trim() } : { code: value };
}
