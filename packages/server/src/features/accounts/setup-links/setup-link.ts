import type { TxCtx } from "../../../ctx.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { outsideAddress } from "../../../http/outside-address.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../../http/pagination.ts";
import { invalidAt, notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { newPlacedSecret } from "../../../lib/placed-secret.ts";
import type { LinkStatus, NewSetupLink, SetupLink, SetupLinkInput } from "./schema.ts";
import {
  countOpenSetupLinkRows,
  deleteSetupLinkRowsBeyond,
  insertSetupLinkRow,
  type SetupLinkRow,
  selectSetupLinkRow,
  selectSetupLinkRows,
  updateSetupLinkRowRevoked,
} from "./setup-link.store.ts";

/** Time for a client to find the person who may do it, and no more: a link is worth an account. */
const DEFAULT_LIFE_MS = DAY_MS;
const LONGEST_LIFE_MS = 7 * DAY_MS;
/** Open ones of a workspace: more clients than one connects in a week. */
const MOST_OPEN = 500;
/** Kept of a workspace: a program that creates and revokes again and again fills no table. */
const MOST_KEPT = 5_000;

/** The page of a link; what stands behind it is the secret, which browsers send to no server. */
const PAGE = "/signup#";

/** Creates a link. Its secret is in this answer alone. `isDevelopment`: addresses of this machine are addresses too. */
export async function createSetupLink(
  ctx: TxCtx,
  { body }: { body: SetupLinkInput },
  isDevelopment: boolean,
): Promise<Answer<NewSetupLink>> {
  const { sql, workspaceId, now } = ctx;
  requireDialog(ctx.config);
  const returnUrl = body.return_url ?? null;
  if (returnUrl !== null) requireReturn(returnUrl, isDevelopment);
  const expiresAt = body.expires_at ? timeOf(body.expires_at, "/expires_at") : now + DEFAULT_LIFE_MS;
  if (expiresAt <= now) throw invalidAt("/expires_at", "This time has passed.");
  if (expiresAt > now + LONGEST_LIFE_MS) throw invalidAt("/expires_at", "A setup link lives for 7 days at most.");
  await deleteSetupLinkRowsBeyond(sql, workspaceId, { kept: MOST_KEPT, now });
  if ((await countOpenSetupLinkRows(sql, workspaceId, now)) >= MOST_OPEN)
    throw new Problem("conflict", `A workspace has at most ${MOST_OPEN} open setup links; revoke some.`);
  const { value, ...place } = newPlacedSecret(workspaceId, newUuid(now));
  const row = await insertSetupLinkRow(sql, workspaceId, { ...place, returnUrl, expiresAt, now });
  const link = renderLink(row, now);
  return {
    body: { ...link, url: `${outsideAddress(ctx.config)}${PAGE}${value}` },
    headers: { location: `/v1/setup-links/${link.id}` },
    resource: { type: "setup_link", id: link.id },
    changes: { expires_at: link.expires_at },
  };
}

/** Newest first, with those that are over. */
export async function listSetupLinks(
  { sql, workspaceId, now }: TxCtx,
  { query }: { query: PageQuery },
): Promise<Answer<Page<SetupLink>>> {
  const request = pageRequest(query);
  const rows = await selectSetupLinkRows(sql, workspaceId, request);
  return { body: page(rows, request, (row) => renderLink(row, now)) };
}

export async function getSetupLink({ sql, workspaceId, now }: TxCtx, { params }: ById): Promise<Answer<SetupLink>> {
  const row = await selectSetupLinkRow(sql, workspaceId, uuidOfPath("stl", params.id));
  if (!row) throw notFound();
  return { body: renderLink(row, now), resource: { type: "setup_link", id: params.id } };
}

/** Its page does nothing from now on. What was begun goes on; revoking twice is the same as once. */
export async function deleteSetupLink({ sql, workspaceId, now }: TxCtx, { params }: ById): Promise<Answer<null>> {
  const id = uuidOfPath("stl", params.id);
  if ((await selectSetupLinkRow(sql, workspaceId, id)) === null) throw notFound();
  const revoked = await updateSetupLinkRowRevoked(sql, workspaceId, id, now);
  const resource = { type: "setup_link", id: params.id };
  return { body: null, resource, changes: revoked ? { revoked_at: isoTime(now) } : null };
}

/** That an account was connected counts for more than what became of the link meanwhile. */
export function statusOf(
  { signup_status, revoked_at, expires_at }: Pick<SetupLinkRow, "signup_status" | "revoked_at" | "expires_at">,
  now: number,
): LinkStatus {
  if (signup_status === "completed") return "completed";
  if (revoked_at !== null) return "revoked";
  return expires_at.getTime() <= now ? "expired" : "open";
}

const renderLink = (row: SetupLinkRow, now: number): SetupLink => ({
  id: formatId("stl", row.id),
  status: statusOf(row, now),
  expires_at: isoTime(row.expires_at.getTime()),
  return_url: row.return_url,
  embedded_signup_id: row.embedded_signup_id === null ? null : formatId("sgn", row.embedded_signup_id),
  created_at: isoTime(row.created_at.getTime()),
});

/** Throws where no client could get through the dialog, so that none is sent a link that leads nowhere. */
function requireDialog(config: TxCtx["config"]): void {
  const settings = ["PROVIDER_APP_ID", "PROVIDER_APP_SECRET", "PROVIDER_SIGNUP_CONFIG_ID"] as const;
  const missing = settings.filter((name) => config[name] === null);
  if (missing.length > 0)
    throw new Problem("conflict", `The signup dialog is not set up here: its operator must set ${listed(missing)}.`);
  if (!isSafe(new URL(outsideAddress(config))))
    throw new Problem("conflict", "A setup link needs https: the operator must set PUBLIC_URL to such an address.");
}

const listed = (names: readonly string[]): string => names.join(" and ");

/** A secret or an id that goes there can be read on its way by no other. */
const isSafe = (url: URL): boolean => url.protocol === "https:" || isLoopback(url);
const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

function requireReturn(text: string, isDevelopment: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fault =
    url === null
      ? "This is not an absolute URL."
      : url.username !== "" || url.password !== ""
        ? "The URL must not carry a user or password."
        : url.protocol === "https:" || (isDevelopment && isLoopback(url))
          ? null
          : "The URL must be https.";
  if (fault !== null) throw invalidAt("/return_url", fault);
}
