import { formatId } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { EmbeddedSignup, SignupStep } from "./schema.ts";
import type { SignupRow } from "./signup.store.ts";
import { STEPS, type StepError, type StepName } from "./step.ts";

export const renderSignup = (row: SignupRow): EmbeddedSignup => ({
  id: formatId("sgn", row.id),
  status: row.status,
  provider_account_id: row.provider_account_id,
  provider_phone_number_id: row.provider_phone_number_id,
  business_account_id: row.business_account_id === null ? null : formatId("acc", row.business_account_id),
  steps: STEPS.map((name, index) => stepOf(row, name, index)),
  created_at: isoTime(row.created_at.getTime()),
  updated_at: isoTime(row.updated_at.getTime()),
  completed_at: row.completed_at === null ? null : isoTime(row.completed_at.getTime()),
});

/** The error of the row is that of the first step that is not done. */
function stepOf({ done, error, status }: SignupRow, name: StepName, index: number): SignupStep {
  const step = done[index];
  if (step) return { name, status: "done", detail: step.detail, error: null, completed_at: step.completed_at };
  if (index > done.length || error === null)
    return { name, status: "pending", detail: null, error: null, completed_at: null };
  const shown = status === "failed" ? "failed" : "pending";
  return { name, status: shown, detail: error.detail, error: errorOf(error), completed_at: null };
}

function errorOf({ code, retryable, provider }: StepError): NonNullable<SignupStep["error"]> {
  if (provider === null) return { code, retryable, provider: null };
  const { traceId, ...said } = provider;
  return { code, retryable, provider: { ...said, trace_id: traceId } };
}
