import { ApiError, type ContactImport, type EmbeddedSignup, type Replay } from "@waypost/sdk";
import { text } from "../../text/text.ts";

/** How far a work is. `part`: 0 to 1; null where its whole is not known. */
export type Watched = { name: string; status: string; said: string; part: number | null; hasEnded: boolean };

/** How many works run, have failed and have ended otherwise; one that has not answered yet runs. */
export function tallyOf(works: readonly (Pick<Watched, "status" | "hasEnded"> | null | undefined)[]) {
  const ended = works.filter((work) => work?.hasEnded === true);
  const failed = ended.filter((work) => work?.status === "failed").length;
  return { running: works.length - ended.length, failed, done: ended.length - failed };
}

/** A refusal that no repeat changes, as for want of a scope. That the session has ended is for the whole console to know. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && !error.retryable && error.status < 500 && error.status !== 401;

const isUnderWay = (status: string): boolean => status === "pending" || status === "running";
const partOf = (done: number, of: number): number => (of === 0 ? 0 : Math.min(1, done / of));

export const ofImport = ({ status, progress }: Pick<ContactImport, "status" | "progress">): Watched => ({
  name: text.imports.one,
  status,
  said: text.imports.progress(progress),
  part: partOf(progress.bytes, progress.total_bytes),
  hasEnded: !isUnderWay(status),
});

/** Events that are counted have no end that is known before. */
export const ofReplay = ({
  status,
  progress,
  dry_run: isCount,
}: Pick<Replay, "status" | "progress" | "dry_run">): Watched => {
  const hasEnded = !isUnderWay(status);
  const { matched, succeeded, failed } = progress;
  const counted = hasEnded ? text.replay.found(matched) : text.replay.countingSoFar(matched);
  return {
    name: text.replay.title,
    status,
    said: isCount ? counted : text.replay.progress(progress),
    part: isCount ? (hasEnded ? 1 : null) : partOf(succeeded + failed, matched),
    hasEnded,
  };
};

export const ofSignup = ({ status, steps }: Pick<EmbeddedSignup, "status" | "steps">): Watched => ({
  name: text.signup.title,
  status,
  said: text.signup.lead[status] ?? status,
  part: partOf(steps.filter((step) => step.status === "done").length, steps.length),
  hasEnded: !isUnderWay(status),
});
