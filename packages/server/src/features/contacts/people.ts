import type { TxCtx } from "../../ctx.ts";
import { filtersOf } from "./search/filters.ts";
import { findAmong, findPage } from "./search/search.ts";

type Reading = Pick<TxCtx, "sql" | "workspaceId" | "now">;

/** People that a text finds are collected up to so many: beyond, one in few conversations is with one of them. */
const MOST_COLLECTED = 500;

/** People whom a text finds, as `q` of the list of contacts does. */
export type People = {
  /** Uuids of all of them; null: there are more than can be collected. */
  all: readonly string[] | null;
  /** Those of these uuids that are of them. */
  among(ids: readonly string[]): Promise<ReadonlySet<string>>;
};

export async function findPeople(ctx: Reading, q: string): Promise<People> {
  const condition = { all: await filtersOf(ctx, { q }) };
  const { ids, cursor } = await findPage(ctx, { condition, cursor: null, limit: MOST_COLLECTED });
  return {
    all: cursor === null ? ids : null,
    among: async (given) => new Set(await findAmong(ctx, condition, given)),
  };
}
