import { type FieldError, Problem } from "../../../http/problem.ts";

/** Throws 400 `invalid_request` with all faults, if there are any. */
export function refuseFaults(faults: FieldError[]): void {
  const [first, ...more] = faults;
  if (!first) return;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new Problem("invalid_request", `${first.pointer}: ${first.detail}${others}`, { errors: faults });
}
