import type { App } from "../../ctx.ts";
import { isStandstill } from "../../db/batched.ts";
import type { CallbackChange } from "../../provider/provider.ts";
import { takeNotice } from "../accounts/notices.ts";
import { takeCall } from "../calls/call.ts";
import { hasMoved, isCausedByContent } from "../messages/callbacks/callback-errors.ts";
import { type PaymentEvent, takeAllPayments } from "../messages/callbacks/payments.ts";
import type { ProviderEvents, TakeResult } from "../messages/callbacks/provider-events.ts";
import type { ProviderEvent } from "../messages/callbacks/taken-row.ts";
import { takeTemplateNews } from "../templates/news.ts";
import type { AccountOwner, CallbackOwners, NumberOwner } from "./callback-owners.ts";
import { takeLater } from "./later/later.ts";

/** What applying callbacks needs; each call may be repeated. */
export type ApplyDeps = { app: App; providerEvents: ProviderEvents; owners: CallbackOwners };

/** A change for quarantine; `change` is null where it is not known which one, or is not kept beside the raw callback. */
export type Quarantined = { reason: string; change: CallbackChange | null; error: unknown };

/** A callback that is being worked: its changes, and what became of them so far. */
export type Parsed = {
  callbackId: string;
  changes: CallbackChange[];
  quarantined: Quarantined[];
  /** The workspace and the messages that it reports on, for its log line. */
  workspaceId: string | null;
  messageIds: string[];
  /** Errors of changes that are to be tried again later; the database being away is none of them. */
  failures: unknown[];
};

type Change<K extends CallbackChange["kind"]> = Extract<CallbackChange, { kind: K }>;

/** A change whose owner is known, as what it is passed on. */
type Step = EventStep | PaymentStep | NewsStep | NumberStep;
type EventStep = { of: Parsed; event: ProviderEvent };
type PaymentStep = { of: Parsed; payment: PaymentEvent };
/** Something new of an account, of a number of it, or of a template. */
type NewsStep = { of: Parsed; account: AccountOwner; change: Change<"template"> | Change<"notice"> };
/** A call, or what is too much to be taken at once. */
type NumberStep = {
  of: Parsed;
  number: NumberOwner;
  change: Change<"call"> | Change<"history"> | Change<"phone_book">;
};

/**
 * Applies a batch of callbacks: finds the owner of each change, then passes on events and template changes, each in the
 * order of the callbacks. While the database is away it goes on where it stopped when `retry` (the round, from 0) resolves
 * to true; false when `retry` did. What became of each change is noted in its callback.
 */
export async function applyCallbacks(
  deps: ApplyDeps,
  callbacks: readonly Parsed[],
  retry: (round: number) => Promise<boolean>,
): Promise<boolean> {
  let left: Step[] | null = null;
  for (let round = 0; ; round++) {
    try {
      left ??= await plan(deps, callbacks);
      left = await apply(deps, left);
      if (left.length === 0) return true;
    } catch (error) {
      if (!isStandstill(error)) {
        for (const { failures } of callbacks) failures.push(error);
        return true;
      }
    }
    if (!(await retry(round))) return false;
  }
}

/** The steps of the changes that have an owner. Rejects, with nothing noted, when the database is away. */
async function plan(deps: ApplyDeps, callbacks: readonly Parsed[]): Promise<Step[]> {
  const found = await Promise.all(
    callbacks.flatMap((of) => of.changes.map(async (change) => ({ of, change, found: await find(deps, of, change) }))),
  );
  const steps: Step[] = [];
  for (const { of, change, found: one } of found) {
    if ("of" in one) steps.push(one);
    else if ("quarantine" in one) of.quarantined.push({ reason: one.quarantine, change, error: null });
    else noteFailure(of, change, one.error);
  }
  return steps;
}

async function find(
  { owners }: ApplyDeps,
  of: Parsed,
  change: CallbackChange,
): Promise<Step | { quarantine: string } | { error: unknown }> {
  try {
    switch (change.kind) {
      case "status":
      case "message":
      case "preference":
      case "handover": {
        const owner = await owners.ofNumber(change.providerPhoneNumberId);
        return owner ? { of, event: { ...owner, callbackId: of.callbackId, change } } : { quarantine: "unowned" };
      }
      case "payment": {
        const owner = await owners.ofNumber(change.providerPhoneNumberId);
        return owner ? { of, payment: { ...owner, callbackId: of.callbackId, change } } : { quarantine: "unowned" };
      }
      case "call":
      case "history":
      case "phone_book": {
        const number = await owners.ofNumberNow(change.providerPhoneNumberId);
        return number ? { of, number, change } : { quarantine: "unowned" };
      }
      case "template": {
        const account = await owners.ofAccountNow(change.providerAccountId);
        return account ? { of, account, change } : { quarantine: "unowned" };
      }
      case "notice": {
        const account = await ownerOfNotice(owners, change);
        return account ? { of, account, change } : { quarantine: "unowned" };
      }
      case "unrecognized":
        return { quarantine: change.reason };
    }
  } catch (error) {
    if (isStandstill(error)) throw error;
    return { error };
  }
}

/** A notice of a number belongs to the account of the number, whatever account is beside it; an alert names its number only in what it says. */
async function ownerOfNotice(owners: CallbackOwners, change: Change<"notice">): Promise<AccountOwner | null> {
  const { providerPhoneNumberId, providerAccountId } = change;
  const account = providerAccountId === null ? null : await owners.ofAccountNow(providerAccountId);
  if (account !== null && change.event === "account_alerts") return account;
  const number = providerPhoneNumberId === null ? null : await owners.ofNumberNow(providerPhoneNumberId);
  return number ?? account;
}

/** The steps that are left because the database went away; none when all are done. */
async function apply(deps: ApplyDeps, steps: readonly Step[]): Promise<Step[]> {
  const events = steps.filter((step) => "event" in step);
  const payments = steps.filter((step) => "payment" in step);
  const others = steps.filter((step) => "account" in step || "number" in step);
  const left = await Promise.all([
    events.length > 0 ? applyEvents(deps, events) : [],
    payments.length > 0 ? applyPayments(deps, payments) : [],
    others.length > 0 ? applyOthers(deps, others) : [],
  ]);
  return left.flat();
}

async function applyEvents({ providerEvents, owners }: ApplyDeps, own: readonly EventStep[]): Promise<Step[]> {
  const results: TakeResult[] = await providerEvents.take(own.map(({ event }) => event));
  for (const [index, { of, event }] of own.entries()) {
    const result = results[index];
    if (!result) continue;
    // All from here on are taken again; for those that have been taken already that does nothing.
    if ("error" in result && isStandstill(result.error)) return own.slice(index);
    of.workspaceId = event.workspaceId;
    if (!("error" in result) && result.messageId !== null) of.messageIds.push(result.messageId);
    if ("error" in result) {
      if (hasMoved(result.error)) owners.forget(event.change.providerPhoneNumberId);
      noteFailure(of, event.change, result.error);
    } else if (result.quarantine !== null)
      of.quarantined.push({ reason: result.quarantine, change: event.change, error: null });
  }
  return [];
}

/** Those of a number together, and where that fails each by itself: one that cannot be taken does no harm to the others. */
async function applyPayments({ app, owners }: ApplyDeps, own: readonly PaymentStep[]): Promise<Step[]> {
  const numbers = [...new Set(own.map(({ payment }) => payment.phoneNumberId))];
  const groups = numbers.map((number) => own.filter(({ payment }) => payment.phoneNumberId === number));
  for (let steps = groups.shift(); steps !== undefined; steps = groups.shift()) {
    try {
      await takeAllPayments(
        app,
        steps.map(({ payment }) => payment),
      );
      for (const { of, payment } of steps) of.workspaceId = payment.workspaceId;
    } catch (error) {
      if (isStandstill(error)) return [...steps, ...groups.flat()];
      if (steps.length > 1) {
        groups.unshift(...steps.map((step) => [step]));
        continue;
      }
      for (const { of, payment } of steps) {
        if (hasMoved(error)) owners.forget(payment.change.providerPhoneNumberId);
        noteFailure(of, payment.change, error);
      }
    }
  }
  return [];
}

async function applyOthers({ app }: ApplyDeps, own: readonly (NewsStep | NumberStep)[]): Promise<Step[]> {
  for (const [index, step] of own.entries()) {
    const { of, change } = step;
    try {
      if ("number" in step) await applyToNumber(app, step);
      else if (step.change.kind === "template") await takeTemplateNews(app, step.account, step.change, of.callbackId);
      else await takeNotice(app, step.account, step.change, of.callbackId);
      of.workspaceId = "number" in step ? step.number.workspaceId : step.account.workspaceId;
    } catch (error) {
      if (isStandstill(error)) return own.slice(index);
      noteFailure(of, change, error);
    }
  }
  return [];
}

const applyToNumber = (app: App, { of, number, change }: NumberStep): Promise<void> =>
  change.kind === "call"
    ? takeCall(app, number, { change, callbackId: of.callbackId })
    : takeLater(app, number, of.callbackId);

/** Notes an error of a change: one that the callback's content caused puts the change into quarantine, others are tried again later. */
export function noteFailure(of: Parsed, change: CallbackChange | null, error: unknown): void {
  if (isCausedByContent(error)) of.quarantined.push({ reason: "failed", change, error });
  else of.failures.push(error);
}
