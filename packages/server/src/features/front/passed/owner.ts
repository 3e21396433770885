import type { App } from "../../../ctx.ts";
import type { CallCtx } from "../../../http/call.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { notFound, Problem, referenceNotFound } from "../../../http/problem.ts";
import { formatId } from "../../../lib/ids.ts";
import type { PassedResult } from "../../../provider/passed-calls.ts";
import type { AccountAccess } from "../../../provider/provider.ts";
import { accountStatuses, isOn } from "../../accounts/connected.ts";
import type { Sender, Senders } from "../../accounts/numbers/senders.ts";
import { providerProblem } from "../../accounts/provider-problem.ts";
import { readAccess } from "../../accounts/token.ts";
import { findObject, numberOfPath } from "../objects/objects.ts";
import type { Owned } from "./passed-call.ts";

export type OwnerDeps = { app: App; senders: Senders };

/** Whose an object is: with the token of this account the provider is called, and this is what the audit log names. */
export type Owner = { businessAccountId: string; resource: { type: string; id: string } };

/** Of what the provider alone can say whose it is, this many accounts or numbers are asked about: each is a call. */
const MOST_ASKED = 20;
/** Pages of a number's groups, of 100 each; the provider allows fewer groups. */
const MOST_PAGES = 10;
const LOOK_WITHIN_MS = 10_000;

const FLOW_ID = /^\d{5,20}$/;
/** Base64, mostly: letters at the beginning, which no id of another object has. */
const GROUP_ID = /^[A-Za-z][A-Za-z0-9_=.-]{4,199}$/;

/** True for what may be the id of a group, and is that of nothing else. */
export const isGroupId = (id: string): boolean => GROUP_ID.test(id);

/** Whose the object of a path is. Throws 404 for what is not the caller's, as for what is unknown. */
export async function ownerOf(deps: OwnerDeps, ctx: CallCtx, kind: Owned, id: string): Promise<Owner> {
  if (kind === "number") return ofNumber(await numberOfPath(ctx, deps.senders, id));
  if (kind === "flow") return await ownerOfFlow(deps, ctx, id);
  if (kind === "group") return await ownerOfGroup(deps, ctx, id);
  const found = await findObject(ctx, id);
  if (found?.kind !== kind) throw notFound();
  return ofAccount(found.accountId);
}

/** Requires that a parameter names the caller's own templates: ids as a list, or as text with commas. */
export async function requireTemplates(ctx: CallCtx, given: unknown, name: string): Promise<void> {
  const ids = idsIn(given);
  if (ids.length > MOST_ASKED) throw new Problem("invalid_request", `\`${name}\` has at most ${MOST_ASKED} ids.`);
  for (const id of ids) {
    const found = await findObject(ctx, id);
    if (found?.kind !== "template") throw referenceNotFound(`/${name}`);
  }
}

function idsIn(given: unknown): string[] {
  if (Array.isArray(given)) return given.flatMap(idsIn);
  return typeof given === "string" || typeof given === "number"
    ? String(given)
        .replace(/["[\]\s]/g, "")
        .split(",")
    : [""];
}

/** Requires that a parameter names one of the caller's own flows. */
export async function requireFlow(deps: OwnerDeps, ctx: CallCtx, given: unknown, name: string): Promise<void> {
  await ownerOfFlow(deps, ctx, idsIn(given).join(",")).catch((error: unknown) => {
    throw error instanceof Problem && error.code === "not_found" ? referenceNotFound(`/${name}`) : error;
  });
}

/** The account that the provider says a flow is of, among the caller's: with its own token, because that may reach others. */
async function ownerOfFlow({ app }: OwnerDeps, ctx: CallCtx, id: string): Promise<Owner> {
  if (!FLOW_ID.test(id)) throw notFound();
  const looks = new Looks();
  const accounts = (await accountStatuses(ctx)).filter(isOn).slice(0, MOST_ASKED);
  for (const account of accounts) {
    const access = await readAccess(app, ctx.workspaceId, account.id);
    if (access === null) continue;
    const body = looks.taken(await look(ctx, access, [id], { fields: "id,whatsapp_business_account" }));
    const owner = recordOf(recordOf(body)?.["whatsapp_business_account"]);
    if (owner !== null && String(owner["id"]) === access.providerAccountId) return ofAccount(account.id);
  }
  throw looks.end();
}

/** The number among whose groups it is. */
async function ownerOfGroup({ app, senders }: OwnerDeps, ctx: CallCtx, id: string): Promise<Owner> {
  if (!GROUP_ID.test(id)) throw notFound();
  const looks = new Looks();
  const numbers = (await senders.ofWorkspace(ctx.workspaceId)).filter((one) =>
    mayUseNumber(ctx.actor, one.phoneNumberId),
  );
  for (const number of numbers.slice(0, MOST_ASKED)) {
    const access = await readAccess(app, ctx.workspaceId, number.businessAccountId);
    if (access !== null && (await hasGroup(ctx, access, number, { id, looks }))) return ofNumber(number);
  }
  throw looks.end();
}

async function hasGroup(
  ctx: CallCtx,
  access: AccountAccess,
  number: Sender,
  { id, looks }: { id: string; looks: Looks },
): Promise<boolean> {
  let after: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const query: Record<string, string> = { fields: "id", limit: "100", ...(after === null ? {} : { after }) };
    const body = recordOf(looks.taken(await look(ctx, access, [number.providerPhoneNumberId, "groups"], query)));
    const data = body?.["data"];
    const groups = Array.isArray(data) ? data : recordOf(data)?.["groups"];
    if (!Array.isArray(groups)) return false;
    if (groups.some((group) => recordOf(group)?.["id"] === id)) return true;
    const next: unknown = recordOf(recordOf(body?.["paging"])?.["cursors"])?.["after"];
    if (typeof next !== "string" || next === after) return false;
    after = next;
  }
  return false;
}

/** What look-ups have found: nothing is known of an id while one of them was not answered. */
class Looks {
  #unanswered: Problem | null = null;

  /** The body of an answer; null for a refusal, which says that it is not there. */
  taken(result: PassedResult): unknown {
    if (result.ok) return result.answer.body;
    if (result.answer === null || result.lost)
      this.#unanswered ??= providerProblem(result.error, "The provider did not say whose it is");
    return null;
  }

  /** The refusal where it was not found. */
  end(): Problem {
    return this.#unanswered ?? notFound();
  }
}

const look = (ctx: CallCtx, access: AccountAccess, segments: string[], query: Record<string, string>) =>
  ctx.provider.pass({
    ...access,
    method: "GET",
    segments,
    query,
    body: null,
    withinMs: LOOK_WITHIN_MS,
    signal: ctx.signal,
  });

const ofNumber = ({ businessAccountId, phoneNumberId }: Sender): Owner => ({
  businessAccountId,
  resource: { type: "phone_number", id: formatId("num", phoneNumberId) },
});

const ofAccount = (businessAccountId: string): Owner => ({
  businessAccountId,
  resource: { type: "business_account", id: formatId("acc", businessAccountId) },
});

const recordOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null; // as checked
