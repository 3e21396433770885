import type { CallCtx, Given } from "../../../http/call.ts";
import { outsideAddress } from "../../../http/outside-address.ts";
import { invalidAt } from "../../../http/problem.ts";
import { formatId, parseId } from "../../../lib/ids.ts";
import { parsed } from "../messages/content.ts";
import { namesOf } from "../objects/fields.ts";
import { summaryFields, templateFields } from "./render.ts";
import { countTemplates, type ListedRow, type ListFilter, type PageOf, selectListedRows } from "./template.store.ts";

type Values = Given["values"];

const USUAL_LIMIT = 25;
/** Clients that read no second page ask for as many as they can: this many templates of 2 KiB are an answer of 2 MB. */
const MOST_LIMIT = 1_000;
/** Values of one filter: more than there are languages. */
const MOST_VALUES = 200;
/** What the next page is asked by, beside its place. */
const OF_THE_LIST = [
  "fields",
  "limit",
  "name",
  "content",
  "name_or_content",
  "status",
  "category",
  "language",
  "quality_score",
  "summary",
] as const;

/** A page of an account's templates, from our own table. */
export async function templateList(
  ctx: CallCtx,
  account: { id: string; providerId: string },
  values: Values,
): Promise<object> {
  const { db, workspaceId } = ctx;
  const accountId = account.id;
  const filter = filterOf(values);
  const page = pageOf(values);
  const asked = values["summary"] == null ? null : summaryOf(values["summary"]);
  const { rows, counts } = await db.read(workspaceId, async (sql) => ({
    rows: await selectListedRows(sql, workspaceId, { accountId, filter, page }),
    counts: asked && (await countTemplates(sql, workspaceId, { accountId, filter })),
  }));
  const shown = rows.slice(0, page.fetch - 1);
  if (page.before !== null) shown.reverse();
  const base = `${outsideAddress(ctx.config)}/${account.providerId}/message_templates`;
  return {
    data: shown.map((row) => templateFields(row, values["fields"])),
    ...pagingOf(shown, { page, values, base, hasMore: rows.length > shown.length }),
    ...(counts && asked
      ? { summary: Object.fromEntries(Object.entries(summaryFields(counts)).filter(([name]) => asked.has(name))) }
      : {}),
  };
}

function filterOf(values: Values): ListFilter {
  const words = (name: string, written: (text: string) => string = (text) => text): string[] | null => {
    const given = parsed(values[name]);
    if (given == null || given === "") return null;
    const list: unknown[] = Array.isArray(given) ? given : [given];
    if (list.length > MOST_VALUES) throw invalidAt(`?${name}`, `has more than ${MOST_VALUES} values`, "too_many");
    return list.map((one) => {
      if (typeof one !== "string" && typeof one !== "number") throw invalidAt(`?${name}`, "must be a text", "type");
      return written(String(one));
    });
  };
  const lower = (text: string): string => text.toLowerCase();
  return {
    status: words("status", lower),
    category: words("category", lower),
    language: words("language"),
    quality: words("quality_score", lower),
    name: words("name"),
    content: words("content")?.[0] ?? null,
    nameOrContent: words("name_or_content")?.[0] ?? null,
  };
}

function pageOf({ limit: given, after, before }: Values): PageOf {
  const limit = given == null || given === "" ? USUAL_LIMIT : Number(given);
  if (!Number.isSafeInteger(limit) || limit < 1) throw invalidAt("?limit", "must be a positive number", "type");
  const places = { after: placeOf("after", after), before: placeOf("before", before) };
  if (places.after !== null && places.before !== null) throw invalidAt("?before", "Give one of after and before.");
  return { ...places, fetch: Math.min(limit, MOST_LIMIT) + 1 };
}

/** Cursors are the ids of the first and of the last template of a page. */
function placeOf(name: string, cursor: unknown): string | null {
  if (cursor == null || cursor === "") return null;
  const place = typeof cursor === "string" ? parseId("tpl", cursor) : null;
  if (place === null) throw invalidAt(`?${name}`, "is no cursor of this list", "invalid_cursor");
  return place;
}

function summaryOf(given: unknown): ReadonlySet<string> {
  const all = Object.keys(summaryFields({ matching: 0, all: 0, complete: true }));
  const names = given === true || given === "true" || given === "1" ? new Set(all) : (namesOf(given) ?? new Set());
  const unknown = [...names].find((name) => !all.includes(name));
  if (unknown !== undefined) throw invalidAt("?summary", `has ${all.join(", ")} and nothing else`);
  return names;
}

function pagingOf(
  shown: readonly ListedRow[],
  { page, values, base, hasMore }: { page: PageOf; values: Values; base: string; hasMore: boolean },
): object {
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return {};
  const cursors = { before: formatId("tpl", first.id), after: formatId("tpl", last.id) };
  const isBackward = page.before !== null;
  const address = (place: "after" | "before"): string => {
    const query = new URLSearchParams({ [place]: cursors[place] });
    for (const name of OF_THE_LIST) {
      const value = values[name];
      if (value != null) query.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    return `${base}?${query.toString()}`;
  };
  return {
    paging: {
      cursors,
      ...(isBackward || hasMore ? { next: address("after") } : {}),
      ...((isBackward ? hasMore : page.after !== null) ? { previous: address("before") } : {}),
    },
  };
}
