import type { TxCtx } from "../../ctx.ts";
import { type FieldError, notFound, Problem, pointerToken } from "../../http/problem.ts";
import { changesOf } from "../audit/fields.ts";
import type { Keywords } from "../identity/consent/default-keywords.ts";
import { foldedOf, foldKeyword, isKeyword } from "../identity/consent/keywords.ts";
import { MOST_LANGUAGES, type OwnWorkspaceChange } from "./schema.ts";
import { type KeywordsRow, lockKeywordsRow, updateKeywordsRow } from "./store.ts";

/** Sets the keywords that are given; messages that arrive from then on are compared with them. Returns what changed, null for nothing. */
export async function changeKeywords(ctx: TxCtx, body: OwnWorkspaceChange): Promise<ReturnType<typeof changesOf>> {
  const errors = FIELDS.flatMap((field) => faultsOf(`/${field}`, body[field] ?? {}));
  const [first] = errors;
  if (first) throw new Problem("invalid_request", `${first.pointer}: ${first.detail}`, { errors });
  const old = await lockKeywordsRow(ctx.sql, ctx.workspaceId);
  if (!old) throw notFound();
  const row: KeywordsRow = { ...old };
  for (const field of FIELDS) if (body[field] !== undefined) row[field] = body[field];
  const changes = changesOf<KeywordsRow>(old, row);
  if (changes !== null) {
    const words = { opt_out: foldedOrNull(row.opt_out_keywords), opt_in: foldedOrNull(row.opt_in_keywords) };
    await updateKeywordsRow(ctx.sql, ctx.workspaceId, row, words, new Date(ctx.now));
  }
  return changes;
}

/** BCP 47 tags are longer only with private extensions. */
const LONGEST_TAG = 35;

const FIELDS = ["opt_out_keywords", "opt_in_keywords"] as const;

const foldedOrNull = (keywords: Keywords | null): string[] | null => (keywords === null ? null : foldedOf(keywords));

function faultsOf(pointer: string, keywords: Keywords): FieldError[] {
  const languages = Object.keys(keywords);
  if (languages.length > MOST_LANGUAGES)
    return [{ pointer, code: "invalid_value", detail: `must have at most ${MOST_LANGUAGES} languages` }];
  return Object.entries(keywords).flatMap(([language, words]) => {
    const at = `${pointer}/${pointerToken(language)}`;
    const faults = words.flatMap((word, index) =>
      isKeyword(foldKeyword(word))
        ? []
        : [{ pointer: `${at}/${index}`, code: "invalid_value", detail: "must have 1 to 50 letters, digits and signs" }],
    );
    return isLanguage(language)
      ? faults
      : [
          { pointer: at, code: "invalid_value", detail: "must be a BCP 47 language tag, such as en or pt-BR" },
          ...faults,
        ];
  });
}

function isLanguage(tag: string): boolean {
  if (tag.length > LONGEST_TAG) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false; // a RangeError: not well-formed
  }
}
