import type { Ctx } from "../../ctx.ts";
import { type AnswerOf, columns, type RowOf } from "../../db/hot-function.ts";
import type { ActivityRow, AuditFields } from "../../http/activity.ts";
import { CALLER_INPUT } from "./activity.sql.ts";

/** What an audit row says, but for its place: what database functions take of it, and what `store.ts` writes. */
export const ACTIVITY_INPUT = columns({
  ...CALLER_INPUT,
  actor_type: "text",
  method: "text",
  path: "text",
  request_id: "text",
  action: "text",
  resource_type: "text?",
  resource_id: "text?",
  status: "smallint",
  code: "text?",
});
export type ActivityFields = AnswerOf<typeof ACTIVITY_INPUT>;

/** The columns of a row. Texts that a caller can write freely are cleaned of keys pasted into them by mistake. */
export const activityFields = ({ actor, action, resource, request, response }: ActivityRow): ActivityFields => ({
  actor_type: actor.type,
  actor_id: actor.id,
  actor_name: actor.name,
  action,
  resource_type: resource?.type ?? null,
  resource_id: resource?.id ?? null,
  method: request.method,
  path: withoutSecrets(request.path),
  request_id: withoutSecrets(request.request_id),
  ip: request.ip,
  user_agent: request.user_agent === null ? null : withoutSecrets(request.user_agent),
  session: actor.session ?? null,
  status: response.status,
  code: response.code,
});

/** Who called and how, for the audit step of a hot function (`CALLER_INPUT` of activity.sql.ts); `audit` is null without a call. */
export const callerFields = (
  { actor, requestId }: Pick<Ctx, "actor" | "requestId">,
  audit: AuditFields | null,
): RowOf<typeof CALLER_INPUT> =>
  audit === null
    ? NO_CALL
    : {
        actor_type: actor.type,
        actor_id: actor.id,
        actor_name: actor.name,
        method: audit.method,
        path: withoutSecrets(audit.path),
        request_id: withoutSecrets(requestId),
        ip: audit.ip,
        user_agent: audit.userAgent === null ? null : withoutSecrets(audit.userAgent),
        session: actor.session,
      };

const NO_CALL: RowOf<typeof CALLER_INPUT> = {
  actor_type: undefined,
  actor_id: undefined,
  actor_name: undefined,
  method: undefined,
  path: undefined,
  request_id: undefined,
  ip: undefined,
  user_agent: undefined,
  session: undefined,
};

const SECRET = /(wp_live_|whsec_)[\w+/=%-]+/g;

// A key pasted into a path by mistake would stay readable for a year. The two cheap tests suffice for most texts.
function withoutSecrets(text: string): string {
  return text.includes("wp_live_") || text.includes("whsec_") ? text.replace(SECRET, "$1[hidden]") : text;
}

/** In place of a text that people write freely: it may name a person, and the log outlives them. */
export const CHANGED = "changed";

/** Where a URL leads, and whether more follows: its path and query are where receivers have their secrets. */
export function placeOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === "/" && search === "" ? origin : `${origin}/…`;
}

/** The changes for the audit log: each field that differs, before and after; null when none does. Pass no secrets. Of a field in `unsaid` it is said that it differs, and no more. */
export function changesOf<Fields extends Record<string, unknown>>(
  before: Fields,
  after: Fields,
  unsaid: readonly (keyof Fields & string)[] = [],
): { [field: string]: { before: unknown; after: unknown } } | null {
  const changes: { [field: string]: { before: unknown; after: unknown } } = {};
  for (const field of Object.keys(after)) {
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) continue;
    changes[field] = unsaid.includes(field)
      ? { before: null, after: CHANGED }
      : { before: before[field] ?? null, after: after[field] ?? null };
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
