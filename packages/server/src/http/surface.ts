import {
  API_KEY,
  type Credential,
  D360_API_KEY,
  GRAPH_KEY,
  type Keys,
  OPERATOR_KEY,
  OPERATOR_SESSION,
  type RequestHead,
  SETUP_LINK,
  WORKSPACE_SESSION,
  whyNoBearer,
  X_API_KEY,
} from "./credentials.ts";
import type { ErrorFormat } from "./error-format.ts";
import { GRAPH_FORMAT } from "./graph/errors.ts";
import { GRAPH_PATHS, GRAPH_SEND, routedGraphUrl } from "./graph/path.ts";
import { graphRefusal, unlistedCall } from "./graph/refusals.ts";
import { notFound, Problem } from "./problem.ts";
import { problemBody } from "./problem-body.ts";
import type { AnyRoute } from "./route.ts";

/**
 * A part of the gateway's paths with one answer to: who may call, by which header or cookie, how does a refusal look, is it in the audit
 * log. Every request is of one surface, which is known before its route is looked for. All else is one for all: admission, limits,
 * bodies, verbs, log.
 */
export type Surface = {
  /** What a route calls it that stands there. */
  name: string;
  /** The requests that are of it; the first surface of the table that claims a request has it. */
  claims: readonly Claim[];
  /** Null: no request needs to name its caller. */
  callers: Callers | null;
  /** How every refusal looks, also that of an unknown path, a method that a path does not take, and of broken HTTP. */
  errors: ErrorFormat;
  /** Whether reads and refusals are in the audit log. What a verb changes always is, by the transaction of the change. */
  audited: boolean;
  /** The URL by which the router finds a request that is of it; absent: its own. */
  routed?(url: string): string;
  /** The refusal of a path that leads nowhere; absent: `not_found`. */
  unlisted?(): Problem;
};

/** A beginning of the path that ends with `/`, or a pattern of all of it; with `methods`, for requests by these alone. */
export type Claim = { path: string | RegExp; methods?: readonly string[] };

export type Callers = {
  /** The kind of rows that may stand there: their `auth`. Callers of a workspace are counted against its rate limit. */
  auth: AnyRoute["auth"];
  /** True: what finds its callers bounds each of them, and none of them uses up the limit of a workspace. */
  isBounded?: true;
  /** The first way in which a request names its caller counts, and no other is tried. */
  credentials: readonly [Credential, ...Credential[]];
  /** Value of `WWW-Authenticate` when the caller is not known; null for none. */
  challenge: string | null;
  /** The refusal of a request whose caller is not known, `unauthorized`: what to do. Nothing of what it gave may be in it. */
  refusal(head: RequestHead, keys: Keys): Problem;
};

/** RFC 9457. The routes of surfaces with this format are in the API document; another format is another's contract. */
export const PROBLEM_JSON: ErrorFormat = {
  mediaType: "application/problem+json",
  status: (problem) => problem.status,
  body: problemBody,
};

const NOT_OURS =
  "The console's cookie counts only for requests of its own pages: of the same origin and, unless they only read, with `Waypost-Console: 1`. Programs send an API key.";

const BEARER = {
  challenge: 'Bearer realm="waypost"',
  refusal: (head: RequestHead, { sessions }: Keys) =>
    sessions?.isUnproven(head) ? new Problem("forbidden", NOT_OURS) : new Problem("unauthorized", whyNoBearer(head)),
};

/** The surfaces, all but `OPEN`. */
export const SURFACES: readonly Surface[] = [
  {
    name: "workspace",
    claims: [{ path: "/v1/" }],
    callers: { auth: "workspace", credentials: [API_KEY, WORKSPACE_SESSION], ...BEARER },
    errors: PROBLEM_JSON,
    audited: true,
  },
  {
    name: "operator",
    claims: [{ path: "/admin/v1/" }],
    callers: { auth: "operator", credentials: [OPERATOR_KEY, OPERATOR_SESSION], ...BEARER },
    errors: PROBLEM_JSON,
    audited: true,
  },
  {
    name: "graph",
    claims: [{ path: GRAPH_PATHS }, { path: GRAPH_SEND, methods: ["POST"] }],
    callers: {
      auth: "workspace",
      credentials: [GRAPH_KEY, D360_API_KEY, X_API_KEY],
      challenge: BEARER.challenge,
      refusal: graphRefusal,
    },
    errors: GRAPH_FORMAT,
    audited: true,
    routed: routedGraphUrl,
    unlisted: unlistedCall,
  },
  {
    // What the page of a setup link calls.
    name: "setup_link",
    claims: [{ path: "/signup/link/" }],
    callers: {
      auth: "workspace",
      isBounded: true,
      credentials: [SETUP_LINK],
      challenge: null,
      refusal: () => new Problem("unauthorized", "This is no valid setup link: ask for a new one."),
    },
    errors: PROBLEM_JSON,
    audited: true,
  },
];

/** The refusal of a path that leads nowhere on a surface. */
export const unlistedOn = ({ unlisted }: Surface): Problem => unlisted?.() ?? notFound();

/** What no other surface claims: pages, probes, callbacks, which prove their sender themselves, and paths that lead nowhere. */
export const OPEN: Surface = { name: "open", claims: [], callers: null, errors: PROBLEM_JSON, audited: false };

/** The part of a route that says where it stands; a row's default is the surface with the name of its `auth`, a raw route's `open`. */
type Standing = { path: string; auth?: AnyRoute["auth"]; surface?: string };

/** Finds the surface of requests and of routes. */
export class Surfaces {
  readonly #table: readonly Surface[];

  /** Throws for a table in which two have one name, or a claim would take more than it says. */
  constructor(table: readonly Surface[] = SURFACES) {
    this.#table = table;
    const names = new Set([OPEN, ...table].map(({ name }) => name));
    if (names.size <= table.length) throw new Error("two surfaces have the same name");
    for (const { name, claims } of table)
      for (const { path } of claims)
        if (!isWhole(path)) throw new Error(`the surface ${name} claims ${String(path)}: see Claim`);
  }

  /** The surface of a request, by its path without the query. */
  of(method: string, path: string): Surface {
    const routed = routedPath(path);
    for (const surface of this.#table) {
      for (const claim of surface.claims) if (isClaimed(claim, method, routed)) return surface;
    }
    return OPEN;
  }

  /** The URL by which the router finds a request. */
  routedUrl(method: string, url: string): string {
    const query = url.indexOf("?");
    return this.of(method, query < 0 ? url : url.slice(0, query)).routed?.(url) ?? url;
  }

  /** The surface where a route stands. Throws where it cannot be found by any request, or only by those of the wrong callers. */
  ofRoute({ path, auth, surface: name = auth ?? OPEN.name }: Standing): Surface {
    const all = [...this.#table, OPEN];
    const surface = all.find((one) => one.name === name);
    if (surface === undefined) throw new Error(`${path} stands on ${name}, which is no surface`);
    if (auth !== undefined && auth !== surface.callers?.auth)
      throw new Error(`${path} needs the ${auth}'s callers; those of the surface ${name} are others`);
    const claimer = all.find((one) => one === surface || one.claims.some((claim) => isBeginning(claim, path)));
    if (claimer !== surface) throw new Error(`${path} stands on ${name}, and is claimed by ${claimer?.name}`);
    // A pattern cannot be compared with the template of a path; what it does not claim finds nothing there.
    const isListed = surface !== OPEN && surface.claims.every(({ path: one }) => typeof one === "string");
    if (isListed && !surface.claims.some((claim) => isBeginning({ path: claim.path }, path)))
      throw new Error(`${path} stands on ${name}, which does not claim it`);
    return surface;
  }
}

/** Of a pattern with a state every second request would be of another surface, and of one without `^` those with more ahead. */
const isWhole = (path: Claim["path"]): boolean =>
  typeof path === "string"
    ? path.startsWith("/") && path.endsWith("/")
    : path.source.startsWith("^") && path.source.endsWith("$") && !path.global && !path.sticky && !path.multiline;

/** True for a claim of all that begins as this path does. */
const isBeginning = ({ path, methods }: Claim, template: string): boolean =>
  typeof path === "string" && methods === undefined && template.startsWith(path);

const isClaimed = ({ path, methods }: Claim, method: string, requested: string): boolean =>
  (typeof path === "string" ? requested.startsWith(path) : path.test(requested)) &&
  (methods === undefined || methods.includes(method));

/**
 * A path as the router reads it: `/%76%31/messages` and `http://any.example/v1/messages` are `/v1/messages` there, so they must be here,
 * or a path would be found without its key.
 */
function routedPath(path: string): string {
  const origin = path.startsWith("/") ? path : path.replace(/^https?:\/\/[^/]+/i, "");
  return origin.includes("%") ? origin.split("/").map(decoded).join("/") : origin;
}

/** Each part by itself: of a path that the router refuses for one part, the others still say whose it is. */
function decoded(part: string): string {
  try {
    return decodeURI(part);
  } catch {
    return part;
  }
}
