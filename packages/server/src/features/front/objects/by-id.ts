import type { Call, CallAnswer, CallCtx, Given } from "../../../http/call.ts";
import { notFound } from "../../../http/problem.ts";
import { uuidOfDigits } from "../../media/digits.ts";
import { type FoundObject, findObject } from "./objects.ts";

/** What answers a call of `/{id}`, by what the id is of; `unknown` of an id that is none of the workspace's own objects. */
export type ByKind = {
  [K in FoundObject["kind"]]?: (ctx: CallCtx, object: FoundObject & { kind: K }, given: Given) => Promise<CallAnswer>;
} & { unknown?(ctx: CallCtx, id: string, given: Given): Promise<CallAnswer> };

/** The calls that have nothing but an id in their path. */
export const byIdCalls = (of: Record<"GET" | "POST" | "DELETE", ByKind>): Call[] => [
  {
    method: "GET",
    path: "/{id}",
    kind: "served",
    scope: null,
    limitedKeys: "own",
    action: "front.read",
    summary:
      "A phone number, a business account, a template (with `fields`), or the address of a media. Passed on: a flow, a group, and an account's analytics.",
    answer: (ctx, given) => answerById(ctx, given, of.GET),
  },
  {
    method: "POST",
    path: "/{id}",
    kind: "served",
    scope: null,
    limitedKeys: "own",
    action: "front.update",
    files: 1,
    summary:
      "Changes a template, or where a number's callbacks go (`webhook_configuration`). Passed on: an account's settings, a flow, a group.",
    answer: (ctx, given) => answerById(ctx, given, of.POST),
  },
  {
    method: "DELETE",
    path: "/{id}",
    kind: "served",
    scope: null,
    limitedKeys: "own",
    action: "front.delete",
    summary: "Deletes a media. Passed on: a flow that is a draft, and a group.",
    answer: (ctx, given) => answerById(ctx, given, of.DELETE),
  },
];

async function answerById(ctx: CallCtx, given: Given, kinds: ByKind): Promise<CallAnswer> {
  const id = given.params["id"] ?? "";
  const found = await findOf(ctx, id);
  if (found === null) {
    if (kinds.unknown === undefined) throw notFound();
    return await kinds.unknown(ctx, id, given);
  }
  const answer = kinds[found.kind] as ((...of: unknown[]) => Promise<CallAnswer>) | undefined; // the kind says which object it takes
  if (answer === undefined) throw notFound();
  return await answer(ctx, found, given);
}

/** An id of ours says by itself what it is of; whether there is such a media, its row says. */
async function findOf(ctx: CallCtx, id: string): Promise<FoundObject | null> {
  const media = uuidOfDigits(id);
  return media === null ? await findObject(ctx, id) : { kind: "media", id: media };
}
