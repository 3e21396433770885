import type { App } from "../../../ctx.ts";
import type { Activity, ActivityRow } from "../../../http/activity.ts";
import { invalidAt, Problem, pointerToken } from "../../../http/problem.ts";
import type { Answer, RawAnswer, RawRequest, RawRoute } from "../../../http/route.ts";
import { PROVIDER_ID } from "../schema.ts";
import type { SignupRunner } from "../signup/runner.ts";
import type { EmbeddedSignup } from "../signup/schema.ts";
import { requireStart, startSignup } from "../signup/signup.ts";
import { browserOf } from "./browser.ts";
import { getLinkView, openDialog, type PageCtx, resumeLink, takeAnswer } from "./link-page.ts";

/** A code and a state are some hundred characters. */
const MOST_BYTES = 8_192;

type Deps = { runner: SignupRunner; activity: Activity };

/** Actions in the audit log. Of what a page reads only refusals are there: it looks each second while a signup goes on. */
const ACTIONS = {
  view: "setup_link.open",
  dialog: "setup_link.open_dialog",
  code: "embedded_signup.create",
  resume: "embedded_signup.resume",
} as const;

/** What the page of a setup link calls, with the link's secret as bearer. For that page alone, and so not in the document. */
export function linkPageRoutes(app: App, deps: Deps): RawRoute[] {
  const paths = new LinkPaths(app, deps);
  const route = (method: RawRoute["method"], name: keyof typeof ACTIONS, summary: string): RawRoute => ({
    role: "api",
    surface: "setup_link",
    maxBytes: MOST_BYTES,
    action: ACTIONS[name],
    method,
    path: `/signup/link/${name}`,
    summary,
    handle: (request) => paths[name](request),
  });
  return [
    route("GET", "view", "State of a setup link"),
    route("POST", "dialog", "Dialog of a setup link"),
    route("POST", "code", "Answer of a setup link's dialog"),
    route("POST", "resume", "Resume the signup of a setup link"),
  ];
}

class LinkPaths {
  readonly #app: App;
  readonly #deps: Deps;

  constructor(app: App, deps: Deps) {
    this.#app = app;
    this.#deps = deps;
  }

  async view(request: RawRequest): Promise<RawAnswer> {
    const { db, config } = this.#app;
    const shown = await db.read(request.workspaceId, (sql) => getLinkView({ ...this.#ctx(request), sql }));
    return json(200, shown, browserOf(request, config).setCookie);
  }

  async dialog(request: RawRequest): Promise<RawAnswer> {
    const { value, setCookie } = browserOf(request, this.#app.config);
    readTexts(request, {});
    const { body } = await this.#write(request, { action: ACTIONS.dialog, status: 200 }, (ctx) =>
      openDialog(ctx, value),
    );
    return json(200, body, setCookie);
  }

  async code(request: RawRequest): Promise<RawAnswer> {
    const { runner } = this.#deps;
    const { code, state } = readTexts(request, { code: /^[!-~]{1,2048}$/, state: /^[\w-]{1,512}$/ });
    if (code === undefined || state === undefined)
      throw invalidAt("", "Send `code` and `state` as the dialog returned them.", "required");
    const browser = browserOf(request, this.#app.config).value;
    return await this.#signUp(request, ACTIONS.code, (ctx) => takeAnswer(ctx, { code, state }, { browser, runner }));
  }

  async resume(request: RawRequest): Promise<RawAnswer> {
    const addition = readTexts(request, { pin: /^[0-9]{6}$/, provider_account_id: new RegExp(PROVIDER_ID) });
    return await this.#signUp(request, ACTIONS.resume, (ctx) => resumeLink(ctx, addition, this.#deps.runner));
  }

  /** Begins or resumes, and goes on at once in this process: a code lives for seconds. */
  async #signUp(
    request: RawRequest,
    action: string,
    verb: (ctx: PageCtx) => Promise<Answer<EmbeddedSignup> | null>,
  ): Promise<RawAnswer> {
    const { runner } = this.#deps;
    const ctx = this.#ctx(request);
    await requireStart(ctx, runner);
    const answer = await this.#write(request, { action, status: 202 }, verb);
    if (answer !== null) await startSignup(ctx, answer, runner);
    const resource = answer?.resource;
    return { ...json(202, {}), ...(resource === undefined ? {} : { resource }) };
  }

  /** Runs a verb in one transaction with its row of the audit log; null: it changed nothing. Refusals are written by the surface. */
  async #write<Done extends Answer<unknown> | null>(
    request: RawRequest,
    { action, status }: { action: string; status: number },
    verb: (ctx: PageCtx) => Promise<Done>,
  ): Promise<Done> {
    return await this.#app.db.transaction(request.workspaceId, async (sql) => {
      const done = await verb({ ...this.#ctx(request), sql });
      if (done !== null) await this.#deps.activity.record(sql, this.#row(request, { action, status, done }));
      return done;
    });
  }

  #row(
    { workspaceId, actor, requestId, audit }: RawRequest,
    { action, status, done }: { action: string; status: number; done: Answer<unknown> },
  ): ActivityRow {
    const { method, path, ip, userAgent } = audit;
    return {
      workspaceId,
      at: this.#app.clock.now(),
      actor,
      action,
      resource: done.resource ?? null,
      request: { method, path, request_id: requestId, ip, user_agent: userAgent },
      response: { status, code: null },
      changes: done.changes ?? null,
    };
  }

  #ctx(request: RawRequest): Omit<PageCtx, "sql"> {
    const { metrics: _, ...app } = this.#app;
    const { workspaceId, actor, requestId } = request;
    const linkId = linkOf(request);
    return { ...app, workspaceId, actor, requestId, traceparent: null, now: app.clock.now(), signal: NEVER, linkId };
  }
}

/** No verb here waits for anything that its caller could cut short. */
const NEVER = new AbortController().signal;

/** Uuid. */
function linkOf({ actor }: Pick<RawRequest, "actor">): string {
  if (actor.type !== "setup_link" || actor.id === null) throw new Error("a request without a setup link was let in");
  return actor.id;
}

const json = (status: number, body: object, setCookie: string | null = null): RawAnswer => ({
  status,
  headers: {
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    ...(setCookie === null ? {} : { "set-cookie": setCookie }),
  },
  body: JSON.stringify(body),
});

/** The texts of a body, which is an object of these and no others. */
function readTexts<Name extends string>(
  { body }: RawRequest,
  shapes: Readonly<Record<Name, RegExp>>,
): Partial<Record<Name, string>> {
  let given: unknown;
  try {
    given = JSON.parse(body.toString("utf8"));
  } catch {
    throw new Problem("invalid_json", "The body is no JSON.");
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw invalidAt("", "Send an object.");
  for (const [name, value] of Object.entries(given)) {
    const shape = Object.hasOwn(shapes, name) ? shapes[name as Name] : null;
    const pointer = `/${pointerToken(name)}`;
    if (shape === null) throw invalidAt(pointer, "There is no such field.", "unknown_field");
    if (typeof value !== "string" || !shape.test(value)) throw invalidAt(pointer, "This is not as it must be.");
  }
  return given as Partial<Record<Name, string>>; // checked just now
}
