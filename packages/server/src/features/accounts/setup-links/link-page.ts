import { hash } from "node:crypto";
import type { TxCtx } from "../../../ctx.ts";
import { uuidOfPath } from "../../../http/ids.ts";
import { Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { getSignupConfig } from "../signup/config.ts";
import { renderSignup } from "../signup/render.ts";
import type { SignupRunner } from "../signup/runner.ts";
import type { EmbeddedSignup } from "../signup/schema.ts";
import { type SecretSignupRow, selectSecretSignupRow } from "../signup/signup.store.ts";
import { createSignup, resumeSignup } from "../signup/signup.ts";
import { isOwnState, newState } from "./browser.ts";
import type { LinkStatus } from "./schema.ts";
import {
  lockSetupLinkRow,
  type SetupLinkRow,
  selectOwnName,
  selectSetupLinkRow,
  updateSetupLinkRowBegun,
} from "./setup-link.store.ts";
import { statusOf } from "./setup-link.ts";

/** What the page of a link may know: its own state, and that of its one signup. */
export type LinkView = {
  status: LinkStatus;
  expires_at: string;
  return_url: string | null;
  /** The workspace that asks for the account. */
  workspace: string;
  signup: (Pick<EmbeddedSignup, "id" | "status"> & { steps: StepView[]; accounts: string[] | null }) | null;
};
/** `detail` is in English. */
type StepView = { status: "pending" | "done" | "failed"; code: string | null; detail: string | null };

/** The call of a page: the link whose secret it has is the actor. */
export type PageCtx = TxCtx & { linkId: string };

export async function getLinkView(ctx: PageCtx): Promise<LinkView> {
  const { sql, workspaceId, linkId, now } = ctx;
  const row = await selectSetupLinkRow(sql, workspaceId, linkId);
  if (row === null) throw gone();
  const { embedded_signup_id: signupId } = row;
  const signup = signupId === null ? null : await selectSecretSignupRow(sql, workspaceId, signupId);
  return {
    status: statusOf(row, now),
    expires_at: isoTime(row.expires_at.getTime()),
    return_url: row.return_url,
    workspace: (await selectOwnName(sql, workspaceId)) ?? "",
    signup: signup === null ? null : viewOf(signup),
  };
}

function viewOf(row: SecretSignupRow): NonNullable<LinkView["signup"]> {
  const { id, status, steps } = renderSignup(row);
  const isToChoose = row.error?.code === "account_required";
  return {
    id,
    status,
    steps: steps.map(({ status: state, error, detail }) => ({ status: state, code: error?.code ?? null, detail })),
    accounts: isToChoose ? row.granted : null,
  };
}

/** The address of the dialog, with a `state` that only this link and this browser can bring back. */
export async function openDialog(ctx: PageCtx, browser: string): Promise<Answer<{ dialog_url: string }>> {
  await lockOpenLink(ctx);
  const { dialog_url } = (await getSignupConfig(ctx)).body;
  if (dialog_url === null) throw new Problem("conflict", "The signup dialog is not set up here.");
  const { secrets, workspaceId, linkId } = ctx;
  const state = newState(secrets, { workspaceId, linkId, browser });
  return {
    body: { dialog_url: `${dialog_url}&state=${state}` },
    resource: { type: "setup_link", id: formatId("stl", linkId) },
  };
}

export type DialogAnswer = { code: string; state: string };

/**
 * Begins the link's signup with the code of its dialog, or begins it again: a link never has a second one. The same code twice is the same as
 * once. Refuses an answer that was asked for by another link, in another browser, or by none.
 */
export async function takeAnswer(
  ctx: PageCtx,
  { code, state }: DialogAnswer,
  { browser, runner }: { browser: string; runner: SignupRunner },
): Promise<Answer<EmbeddedSignup> | null> {
  const { sql, workspaceId, linkId, secrets } = ctx;
  const link = await lockOpenLink(ctx);
  if (!isOwnState(secrets, { workspaceId, linkId, browser }, state))
    throw new Problem("forbidden", "This answer of the dialog was not asked for by this link in this browser.");
  const codeDigest = hash("sha256", `${linkId} ${code}`, "hex");
  if (link.code_digest?.toString("hex") === codeDigest) return null;
  const answer = await begin(ctx, link, { code, runner });
  const signupId = uuidOfPath("sgn", answer.body.id);
  await updateSetupLinkRowBegun(sql, workspaceId, { id: linkId, signupId, codeDigest });
  return answer;
}

async function begin(
  ctx: PageCtx,
  link: SetupLinkRow,
  { code, runner }: { code: string; runner: SignupRunner },
): Promise<Answer<EmbeddedSignup>> {
  const { redirect_uri } = (await getSignupConfig(ctx)).body;
  const id = signupOf(link);
  if (id === null) return await createSignup(ctx, { body: { code, redirect_uri } }, runner);
  // Whatever was chosen before: the new dialog may have granted another account.
  const body = { code, redirect_uri, provider_account_id: null, provider_phone_number_id: null };
  return await resumeSignup(ctx, { params: { id }, body }, runner);
}

/** What the person adds to go on: the PIN of a number that has one, or which of several accounts it is. */
export type Addition = { pin?: string; provider_account_id?: string };

/** Goes on with the link's signup where it has failed. */
export async function resumeLink(
  ctx: PageCtx,
  addition: Addition,
  runner: SignupRunner,
): Promise<Answer<EmbeddedSignup>> {
  const id = signupOf(await lockOpenLink(ctx));
  if (id === null) throw new Problem("conflict", "Nothing was begun by this link yet: open its dialog.");
  return await resumeSignup(ctx, { params: { id }, body: addition }, runner);
}

/** The public id of its signup; null: there is none. */
const signupOf = ({ embedded_signup_id: id, signup_status: status }: SetupLinkRow): string | null =>
  id === null || status === null ? null : formatId("sgn", id);

async function lockOpenLink({ sql, workspaceId, linkId, now }: PageCtx): Promise<SetupLinkRow> {
  const row = await lockSetupLinkRow(sql, workspaceId, linkId);
  if (row === null) throw gone();
  const status = statusOf(row, now);
  if (status !== "open") throw new Problem("conflict", REFUSALS[status]);
  return row;
}

const REFUSALS: Readonly<Record<Exclude<LinkStatus, "open">, string>> = {
  completed: "An account was connected by this link already.",
  revoked: "This link was revoked: ask for a new one.",
  expired: "This link has expired: ask for a new one.",
};

// Deleted between the look at its secret and this.
const gone = (): Problem => new Problem("unauthorized", "This is no valid setup link: ask for a new one.");
