import type { Call, CallAnswer, CallCtx, Given } from "../../../http/call.ts";
import { unlistedCall } from "../../../http/graph/refusals.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import type { ByKind } from "../objects/by-id.ts";
import { namesOfFields } from "./fields.ts";
import { isGroupId, type OwnerDeps } from "./owner.ts";
import { passOn } from "./pass.ts";
import { type Owned, ownedBy, type PassedCall } from "./passed-call.ts";
import { pinRefusal, refusedCalls } from "./refused.ts";
import { ANALYTICS } from "./rules.ts";
import { PASSED_CALLS } from "./table.ts";

/** Of files: a flow's JSON, a group's picture. */
const MOST_FILES = 1;

/** Rows with the rights that a passed call needs: of an account, and of a number, for which a key that is limited to it is enough. */
const OF_ACCOUNTS = "PATCH /v1/business-accounts/{id}";
const OF_NUMBERS = "PATCH /v1/phone-numbers/{id}";

/** The calls that are passed on, and those that are refused, but for those at the path of an object itself. */
export const passedCalls = (deps: OwnerDeps): Call[] => [
  ...PASSED_CALLS.filter(isEdge).map((call) => toCall(deps, call)),
  ...refusedCalls(),
];

const isEdge = ({ path }: PassedCall): boolean => path.split("/").length > 2;

function toCall(deps: OwnerDeps, call: PassedCall): Call {
  const kind = ownedBy(call);
  // Reads too: an answer may have what no key of Waypost shows.
  const rights = { scope: "accounts:write", action: call.action } as const;
  const limited = kind === "number" || kind === "group" ? ({ limitedKeys: "own" } as const) : {};
  return {
    method: call.method,
    path: call.path,
    summary: call.summary,
    kind: "passed",
    ...rights,
    ...limited,
    ...(call.files ? { files: MOST_FILES } : {}),
    answer: (ctx, given) => passOn(deps, call, ctx, given),
  };
}

/** GET of an account: passed on where analytics are asked for, which the provider alone has. */
export const analyticsOr =
  (served: NonNullable<ByKind["account"]>, deps: OwnerDeps): NonNullable<ByKind["account"]> =>
  async (ctx, account, given) => {
    const isAnalytics = namesOfFields(given.values["fields"]).some((name) => Object.hasOwn(ANALYTICS, name));
    if (!isAnalytics) return await served(ctx, account, given);
    ctx.require(OF_ACCOUNTS);
    return await passObject(deps, { method: "GET", kind: "account" }, ctx, given);
  };

/** POST of an account: its settings. */
export const updateAccount =
  (deps: OwnerDeps): NonNullable<ByKind["account"]> =>
  async (ctx, _account, given) => {
    ctx.require(OF_ACCOUNTS);
    return await passObject(deps, { method: "POST", kind: "account" }, ctx, given);
  };

/** POST of a number that does nothing that Waypost takes. */
export const refusePin: NonNullable<ByKind["number"]> = (_ctx, _number, { values }) =>
  Promise.reject(values["pin"] === undefined ? unlistedCall() : pinRefusal());

/** An id that is none of the workspace's own objects: a flow or a group, of which the provider is asked whose it is. */
export const ofUnknown =
  (method: Call["method"], deps: OwnerDeps): NonNullable<ByKind["unknown"]> =>
  async (ctx, id, given) => {
    const kind = isGroupId(id) ? "group" : "flow";
    requireOrUnknown(ctx, kind === "group" ? OF_NUMBERS : OF_ACCOUNTS);
    return await passObject(deps, { method, kind }, ctx, given);
  };

/** To a key that may not ask for it, it is unknown. */
function requireOrUnknown(ctx: CallCtx, row: string): void {
  try {
    ctx.require(row);
  } catch (error) {
    throw error instanceof Problem && error.code === "forbidden" ? notFound() : error;
  }
}

async function passObject(
  deps: OwnerDeps,
  { method, kind }: { method: Call["method"]; kind: Owned },
  ctx: CallCtx,
  given: Given,
): Promise<CallAnswer> {
  const call = PASSED_CALLS.find((one) => one.method === method && one.path === `/{${kind}}`);
  if (call === undefined) throw unlistedCall();
  return await passOn(deps, call, ctx, { ...given, params: { [kind]: given.params["id"] ?? "" } });
}
