import { isStandstill } from "../../db/batched.ts";
import type { CallbackChange, Provider } from "../../provider/provider.ts";
import type { Fate, Report, Reports } from "../messages/callbacks/provider-events.ts";
import type { Routes } from "./callback-owners.ts";
import { isOfItsOwn } from "./trouble.ts";

/** What ingest tells the other features; each is safe to repeat. */
export type ApplyDeps = {
  reports: Reports;
  routes: Routes;
  /** The provider says that a template changed: fetch it again. */
  templateChanged(workspaceId: string, businessAccountId: string, providerTemplateId: string): Promise<void>;
};

/** A change that is set aside; the change itself only where the raw callback would not tell which one it was. */
export type SetAside = { reason: string; change: CallbackChange | null; error: unknown };

/** A callback as it is worked on: its changes, and what became of them so far. */
export type Parsed = {
  changes: CallbackChange[];
  aside: SetAside[];
  /** Whose messages it reports on, for its log line. */
  workspaceId: string | null;
  messageIds: string[];
  /** Errors of changes that are to be tried again; a standstill is none of them. */
  failures: unknown[];
};

type Template = { workspaceId: string; businessAccountId: string; providerTemplateId: string };
type Step = { of: Parsed; report?: Report; template?: Template };

export type Batch = { steps: Step[] };

/** Parses a raw callback; one whose raw bytes are gone is set aside for that. */
export function parse(provider: Provider, body: Buffer | null): Parsed {
  const of: Parsed = { changes: [], aside: [], workspaceId: null, messageIds: [], failures: [] };
  try {
    const parsed = body === null ? null : provider.parseCallback(body);
    of.changes = parsed?.changes ?? [];
    if (!parsed?.json) of.aside.push({ reason: parsed ? "not_json" : "missing", change: null, error: null });
  } catch (error) {
    blame(of, null, error);
  }
  return of;
}

/** Finds the owners of the changes of several callbacks. Rejects, with nothing noted, when the database cannot be asked. */
export async function plan(deps: ApplyDeps, callbacks: readonly Parsed[]): Promise<Batch> {
  const found = await Promise.all(
    callbacks.flatMap((of) => of.changes.map(async (change) => ({ of, change, what: await ownedOr(deps, change) }))),
  );
  const steps: Step[] = [];
  for (const { of, change, what } of found) {
    if ("aside" in what) of.aside.push({ reason: what.aside, change, error: null });
    else if ("error" in what) blame(of, change, what.error);
    else steps.push({ of, ...what });
  }
  return { steps };
}

type Planned = Omit<Step, "of"> | { aside: string } | { error: unknown };

async function ownedOr(deps: ApplyDeps, change: CallbackChange): Promise<Planned> {
  try {
    return await owned(deps, change);
  } catch (error) {
    if (isStandstill(error)) throw error;
    return { error };
  }
}

async function owned({ routes }: ApplyDeps, change: CallbackChange): Promise<Planned> {
  switch (change.kind) {
    case "status":
    case "message": {
      const owner = await routes.ofNumber(change.providerPhoneNumberId);
      return owner ? { report: { ...owner, change } } : { aside: "unowned" };
    }
    case "template_status": {
      const owner = await routes.ofAccount(change.providerAccountId);
      return owner ? { template: { ...owner, providerTemplateId: change.providerTemplateId } } : { aside: "unowned" };
    }
    case "other":
      return { aside: `not_handled ${change.field}` };
    case "unrecognized":
      return { aside: change.reason };
  }
}

/**
 * Applies a batch: its reports in the order of their callbacks, one after the other. Answers null, or, when the database
 * could not be asked, what is still to be done.
 */
export async function apply(deps: ApplyDeps, { steps }: Batch): Promise<Batch | null> {
  const [reports, templates] = await Promise.all([
    applyReports(
      deps,
      steps.filter(({ report }) => report),
    ),
    applyTemplates(
      deps,
      steps.filter(({ template }) => template),
    ),
  ]);
  return reports.length + templates.length === 0 ? null : { steps: [...reports, ...templates] };
}

async function applyReports({ reports }: ApplyDeps, steps: readonly Step[]): Promise<Step[]> {
  const fates: Fate[] = await reports.take(steps.flatMap(({ report }) => (report ? [report] : [])));
  for (const [index, { of, report }] of steps.entries()) {
    const fate = fates[index];
    if (!fate || !report) continue;
    // From here on all is taken again: what has been taken already does nothing.
    if ("error" in fate && isStandstill(fate.error)) return steps.slice(index);
    of.workspaceId = report.workspaceId;
    if (!("error" in fate) && fate.messageId !== null) of.messageIds.push(fate.messageId);
    if ("error" in fate) blame(of, report.change, fate.error);
    else if (fate.aside !== null) of.aside.push({ reason: fate.aside, change: report.change, error: null });
  }
  return [];
}

async function applyTemplates(deps: ApplyDeps, steps: readonly Step[]): Promise<Step[]> {
  for (const [index, { of, template }] of steps.entries()) {
    if (!template) continue;
    const { workspaceId, businessAccountId, providerTemplateId } = template;
    try {
      await deps.templateChanged(workspaceId, businessAccountId, providerTemplateId);
    } catch (error) {
      if (isStandstill(error)) return steps.slice(index);
      blame(of, null, error);
    }
  }
  return [];
}

function blame(of: Parsed, change: CallbackChange | null, error: unknown): void {
  if (isOfItsOwn(error)) of.aside.push({ reason: "failed", change, error });
  else of.failures.push(error);
}
