import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { grantedAccounts } from "../accounts/signups.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import { graphRefusal, unknownObject } from "../protocol/error.ts";
import { type Field, parseFields, pickFields, textOfFields } from "../protocol/fields.ts";
import type { PageQuery } from "../protocol/page.ts";
import { servedVersion } from "../protocol/version.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Account, PhoneNumber } from "../world/world.ts";

/** Path of a Graph call: the version that it named, and the object. */
export type GraphPath = { Params: { version: string; id: string }; Querystring: Record<string, string | undefined> };

export type GraphRequest = FastifyRequest<GraphPath>;

/** Throws the provider's answer to a version that never existed. Paths without any were given the oldest one before. */
export function requireVersion(request: GraphRequest): void {
  if (servedVersion(request.params.version, Number.NEGATIVE_INFINITY) === null) throw unknownPath(request.url);
}

/** The answer to a path that is nothing here: what comes behind the version, without the query. */
export function unknownPath(url: string) {
  const path = url.split("?", 1)[0] ?? "";
  return graphRefusal(2500, `Unknown path components: ${path.replace(/^\/v\d+\.\d+(?=\/)/, "")}`);
}

/** The accounts that the request's token reaches; throws 104 without one, 190 for an unknown or dead one. */
export function authenticate(sim: Simulation, request: GraphRequest): readonly Account[] {
  requireVersion(request);
  const token = tokenOf(request);
  if (token === undefined) throw graphRefusal(104, "An access token is required to request this resource.");
  const isMessage = /\/(messages|media)$/.test(request.routeOptions.url ?? "");
  const accounts = grantedAccounts(sim, token, isMessage) ?? sim.world.accountsByToken.get(token);
  if (accounts === undefined) throw graphRefusal(190, "Invalid OAuth access token - Cannot parse access token");
  const dead = accounts.find((account) => account.tokenDeath !== null);
  if (dead !== undefined) throw deadToken(sim, dead.tokenDeath ?? 0);
  checkProof(sim, request, token);
  return accounts;
}

/** The token of the header, or the parameter `access_token` of query or body. */
export function tokenOf(request: GraphRequest): string | undefined {
  // `OAuth` is what the documentation of uploads has.
  const header = /^(?:Bearer|OAuth)\s+(.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return header ?? parameter(request, "access_token");
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

/** A parameter of the query or the body, as Graph takes them from either; numbers and booleans of JSON as text. */
export function parameter(request: GraphRequest, name: string): string | undefined {
  const body: unknown = request.body;
  const given = textOf(request.query[name]) ?? (isRecord(body) ? body[name] : undefined);
  return typeof given === "number" || typeof given === "boolean" ? String(given) : textOf(given);
}

/**
 * The object with only the asked `fields` and its id; all of `usual` when none are asked. A field the object does not
 * have is error 100, as Graph answers, so that a misspelt field does not pass for an empty one.
 */
export function selectFields(
  request: GraphRequest,
  node: Readonly<Record<string, unknown>>,
  usual: readonly string[],
  type?: string,
): Record<string, unknown> {
  const asked = parameter(request, "fields");
  return chosenOf(node, asked === undefined ? null : parseFields(asked), usual, type);
}

/** The object with these fields, or the usual ones, and its id. */
export function chosenOf(
  node: Readonly<Record<string, unknown>>,
  fields: readonly Field[] | null,
  usual: readonly string[],
  type?: string,
): Record<string, unknown> {
  const chosen = fields ?? usual.map((name) => ({ name, modifiers: {}, fields: null }));
  const picked = pickFields(node, chosen, type);
  return "id" in node ? { ...picked, id: node["id"] } : picked;
}

/** What a call asks of the list at its own path. */
export function pageQuery(request: GraphRequest): PageQuery {
  return {
    limit: parameter(request, "limit"),
    after: parameter(request, "after"),
    before: parameter(request, "before"),
    version: request.params.version,
    url: new URL(request.url, originOf(request)),
  };
}

/** What is asked of a list that is read as a field of the object of the call, as `phone_numbers.limit(2){id}`. */
export function nestedQuery(request: GraphRequest, id: string, field: Field): PageQuery {
  const { as: _name, fields: _selection, ...asked } = field.modifiers;
  const { limit, after, before } = asked;
  const url = new URL(`/${request.params.version}/${id}/${field.name}`, originOf(request));
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  if (field.fields !== null) url.searchParams.set("fields", textOfFields(field.fields));
  return { limit, after, before, version: request.params.version, url };
}

/** The address by which the caller reaches us. */
export function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
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
  const given = parameter(request, "appsecret_proof");
  if (given === undefined) {
    if (!sim.settings.requireAppSecretProof) return;
    throw graphRefusal(100, "API calls from the server require an appsecret_proof argument", {
      type: "GraphMethodException",
    });
  }
  const proof = Buffer.from(given);
  const expected = Buffer.from(createHmac("sha256", sim.app.secret).update(token).digest("hex"));
  if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) {
    throw graphRefusal(100, "Invalid appsecret_proof provided in the API argument", { type: "GraphMethodException" });
  }
}
