import type { StatusName } from "./settings.ts";

/**
 * What the simulator does with a send that would have been accepted. `accept` says whether the message exists
 * afterwards, and so gets statuses, although the sender never learns it.
 *
 * - `refuse`: error `code` at once
 * - `fail`: 200, then `failed` with `code`
 * - `html`: `httpStatus` (502) with an HTML page instead of a Graph body
 * - `hang`: no answer until the sender gives up
 * - `reset`: the connection is reset instead of an answer
 * - `no_id`: 200 whose `messages` is empty; accepted unless `accept` is false
 * - `delay`: the usual answer, `delayMs` later; `delayMs` goes with every other kind too
 * - `statuses`: exactly these statuses in this order (none, twice, reversed …), each after its usual gap
 * - `early`: the statuses arrive at once, the answer `delayMs` (1,000) later
 */
export type Behaviour = {
  kind: "refuse" | "fail" | "html" | "hang" | "reset" | "no_id" | "delay" | "statuses" | "early";
  code?: number;
  /** Of `refuse`, for management calls. */
  subcode?: number;
  httpStatus?: number;
  accept?: boolean;
  delayMs?: number;
  statuses?: readonly StatusName[];
};

/** Whether a message exists at the provider although the sender got no proper answer. */
export function acceptsMessage(behaviour: Behaviour): boolean {
  if (behaviour.kind === "refuse") return false;
  if (behaviour.kind === "html" || behaviour.kind === "hang" || behaviour.kind === "reset") {
    return behaviour.accept ?? false;
  }
  return behaviour.accept ?? true;
}

/** What a management call can do: it has no statuses. */
const OF_MANAGEMENT: readonly Behaviour["kind"][] = ["refuse", "html", "hang", "reset", "no_id", "delay"];

/** Why a behaviour cannot be that of a management call, or undefined. */
export const managementProblem = ({ kind }: Behaviour): string | undefined =>
  OF_MANAGEMENT.includes(kind) ? undefined : `a fault of an operation is one of ${OF_MANAGEMENT.join(", ")}`;

/** Why a behaviour cannot be carried out, or undefined. */
export function behaviourProblem(behaviour: Behaviour): string | undefined {
  if (behaviour.kind === "refuse" || behaviour.kind === "fail") {
    return behaviour.code === undefined ? `"${behaviour.kind}" needs "code"` : undefined;
  }
  if (behaviour.kind === "statuses")
    return behaviour.statuses === undefined ? '"statuses" needs "statuses"' : undefined;
  if (behaviour.kind === "delay") return behaviour.delayMs === undefined ? '"delay" needs "delayMs"' : undefined;
  return undefined;
}
