import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { graphRefusal, unknownObject } from "./graph-error.ts";
import { isRecord, textOf } from "./shape.ts";
import { grantedAccounts } from "./signups.ts";
import type { Simulation } from "./simulation.ts";
import type { Account, PhoneNumber } from "./world.ts";

/** Path of a Graph call: any version, and the object. */
export type GraphPath = { Params: { version: string; id: string }; Querystring: Record<string, string | undefined> };

export type GraphRequest = FastifyRequest<GraphPath>;

/** Throws the provider's answer to a path without a version. */
export function requireVersion(request: GraphRequest): void {
  if (!/^v\d{1,2}\.\d$/.test(request.params.version)) {
    throw graphRefusal(2500, "Unknown path components: /" + request.params.id);
  }
}

/** The accounts that the request's token reaches; throws 104 without one, 190 for an unknown or dead one. */
export function authenticate(sim: Simulation, request: GraphRequest): readonly Account[] {
  requireVersion(request);
  const header = request.headers.authorization;
  const token = header?.startsWith("Bearer ") === true ? header.slice(7) : request.query["access_token"];
  if (token === undefined || token === "") {
    throw graphRefusal(104, "An access token is required to request this resource.");
  }
  const isMessage = request.routeOptions.url?.endsWith("/messages") === true;
  const accounts = grantedAccounts(sim, token, isMessage) ?? sim.world.accountsByToken.get(token);
  if (accounts === undefined) throw graphRefusal(190, "Invalid OAuth access token - Cannot parse access token");
  const dead = accounts.find((account) => account.tokenDeath !== null);
  if (dead !== undefined) throw deadToken(sim, dead.tokenDeath ?? 0);
  checkProof(sim, request, token);
  return accounts;
}

/** The account by id within the token's reach; what lies outside does not exist for it. */
export function accountIn(accounts: readonly Account[], request: GraphRequest): Account {
  const account = accounts.find((one) => one.id === request.params.id);
  if (account === undefined) throw unknownObject(request.params.id, verbOf(request));
  return account;
}

export function phoneNumberIn(sim: Simulation, accounts: readonly Account[], request: GraphRequest): PhoneNumber {
  const number = sim.world.phoneNumbers.get(request.params.id);
  if (number === undefined || !accounts.includes(number.account)) {
    throw unknownObject(request.params.id, verbOf(request));
  }
  return number;
}

export function verbOf(request: GraphRequest): "get" | "post" | "delete" {
  if (request.method === "POST") return "post";
  return request.method === "DELETE" ? "delete" : "get";
}

/** A parameter of the query or the body, as Graph takes them from either. */
export function parameter(request: GraphRequest, name: string): string | undefined {
  const body: unknown = request.body;
  return textOf(request.query[name]) ?? (isRecord(body) ? textOf(body[name]) : undefined);
}

/**
 * The object with only the asked `fields` and its id; all of `usual` when none are asked. A field the object does not
 * have is error 100, as Graph answers, so that a misspelt field does not pass for an empty one.
 */
export function selectFields(
  request: GraphRequest,
  node: Readonly<Record<string, unknown>>,
  usual: readonly string[],
): Record<string, unknown> {
  // Sub-selections such as health_status{…} choose the whole field.
  const asked = textOf(request.query["fields"])
    ?.replace(/\{[^{}]*\}|\([^()]*\)/g, "")
    .split(",")
    .map((field) => field.trim().replace(/\..*$/, ""))
    .filter((field) => field !== "");
  const selected: Record<string, unknown> = {};
  for (const field of asked ?? usual) {
    if (!(field in node)) throw graphRefusal(100, `(#100) Tried accessing nonexisting field (${field.slice(0, 60)})`);
    if (node[field] !== undefined) selected[field] = node[field];
  }
  selected["id"] = node["id"];
  return selected;
}

function deadToken(sim: Simulation, subcode: number) {
  const why: Readonly<Record<number, string>> = {
    458: `The user has not authorized application ${sim.app.id}.`,
    460: "The session has been invalidated because the user changed their password.",
    463: "Session has expired.",
  };
  return graphRefusal(190, `Error validating access token: ${why[subcode] ?? "The access token is invalid."}`, {
    subcode,
  });
}

function checkProof(sim: Simulation, request: GraphRequest, token: string): void {
  const given = request.query["appsecret_proof"];
  if (given === undefined) return;
  const expected = createHmac("sha256", sim.app.secret).update(token).digest("hex");
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) {
    throw graphRefusal(100, "Invalid appsecret_proof provided in the API argument", { type: "GraphMethodException" });
  }
}
