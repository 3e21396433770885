import type { App } from "../../ctx.ts";
import { isPassing } from "../../db/batched.ts";
import { isTransient } from "../../db/connect.ts";
import type { ForgetSome } from "../../forgetting.ts";
import { formatId } from "../../lib/ids.ts";
import type { Turn } from "../tasks/turn.ts";
import { type ErasedRow, keepErasureProgress } from "./erase.store.ts";
import type { Erasure } from "./erasure.ts";

export type Erasing = Pick<App, "db" | "clock" | "notifier" | "log">;

/** From the beginning, or once more over what came late. */
export type Pass = "first" | "late";

export type PiecesOptions = {
  erasure: Erasure;
  pass: Pass;
  turn: Pick<Turn, "isOver" | "step">;
};

/** `more`: the turn was over before. `failed`: everything else is done, and a feature threw an error. */
export type PiecesEnd = "done" | "more" | "failed";

/** What one feature has to do of one record, in one pass. */
type Part = { row: ErasedRow; feature: string; some: ForgetSome; key: string; place: string | null };

/**
 * Forgets records in pieces: one of each feature and record in turn, so that none waits for the end of another. Each goes on where
 * its last stored place is. A feature that throws takes no more part in this call; an error that passes by itself ends it.
 */
export async function forgetInPieces(
  app: Erasing,
  workspaceId: string,
  rows: readonly ErasedRow[],
  { erasure, pass, turn }: PiecesOptions,
): Promise<PiecesEnd> {
  const failed = new Set<string>();
  for (let open = partsOf(rows, erasure, pass); open.length > 0; ) {
    const next: Part[] = [];
    for (const part of open) {
      if (failed.has(part.feature)) continue;
      if (turn.isOver) return "more";
      try {
        const place = await turn.step(1, () => takePiece(app, workspaceId, part, pass));
        if (place.more) next.push({ ...part, place: place.at });
      } catch (error) {
        if (isPassing(error) || isTransient(error)) throw error;
        failed.add(part.feature);
        const contact_id = formatId("con", part.row.id);
        app.log.error(
          { err: error, workspace_id: workspaceId, contact_id, feature: part.feature },
          "a feature failed to forget an erased person; it is tried again",
        );
      }
    }
    open = next;
  }
  return failed.size > 0 ? "failed" : "done";
}

const partsOf = (rows: readonly ErasedRow[], erasure: Erasure, pass: Pass): Part[] =>
  rows.flatMap((row) =>
    erasure.inPieces.flatMap(({ feature, some }) => {
      const key = `${pass} ${feature}`;
      const kept = row.progress?.[key];
      return kept?.whole === true ? [] : [{ row, feature, some, key, place: kept?.place ?? null }];
    }),
  );

async function takePiece(
  app: Erasing,
  workspaceId: string,
  { row, some, key, place }: Part,
  pass: Pass,
): Promise<{ more: boolean; at: string | null }> {
  const since = pass === "late" ? row.erased_at.getTime() : null;
  const { place: at, more } = await some(app, workspaceId, { contactId: row.id, place, since });
  const kept = { workspace_id: workspaceId, contact_id: row.id, part: key, place: more ? at : null, whole: !more };
  await app.db.call(keepErasureProgress, [kept], app.clock.now());
  return { more, at };
}
