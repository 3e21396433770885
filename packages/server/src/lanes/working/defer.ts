import type { ReleasedKey } from "../lane/key-order.ts";
import type { Lane } from "../lane/lane.ts";
import type { Owned } from "../runner-state.ts";

/** Writes what the order of keys needs in the table: rows of a crowded key get a `due`, holds that are over go. */
export type Aside = {
  /** Puts the lane's deferred rows into the table. */
  put(lane: Lane): void;
  release(lane: Lane, keys: readonly ReleasedKey[]): void;
};

const AGAIN_AFTER_MS = 500;

/** `written` is called when rows of the lane were put aside. */
export function createAside(owned: Owned, written: (lane: Lane) => void): Aside {
  const { kind, db, clock, memory, lanes } = owned;

  function put(lane: Lane): void {
    const rows = lane.deferred.splice(0);
    if (!kind.queue.defer || rows.length === 0) return; // a lane defers only where the queue can
    lane.pending += 1;
    const texts = rows.map(({ row, due }) =>
      JSON.stringify({
        slot: row.slot,
        lane: row.lane,
        seq: row.seq,
        workspace_id: row.workspaceId,
        key: row.key,
        due: new Date(due).toISOString(),
      }),
    );
    db.call(kind.queue.defer, texts, clock.now()).then(
      () => {
        lane.pending -= 1;
        if (lanes.get(lane.lane) !== lane) return;
        for (const { row, due } of rows) {
          memory.finish(row.seq);
          lane.expect(due);
        }
        written(lane);
      },
      (error: unknown) => {
        // Held here until it is written: forgotten, they would be overtaken by their successors.
        owned.report("putting rows aside")(error);
        clock.after(AGAIN_AFTER_MS, () => {
          lane.pending -= 1;
          lane.deferred.unshift(...rows);
          if (lanes.get(lane.lane) === lane) put(lane);
        });
      },
    );
  }

  function release(lane: Lane, keys: readonly ReleasedKey[]): void {
    const workspaceId = lane.settings?.workspaceId;
    if (keys.length === 0 || !kind.queue.unhold || workspaceId === undefined) return;
    const texts = keys.map(({ key, until }) =>
      JSON.stringify({
        slot: lane.slot,
        lane: lane.lane,
        workspace_id: workspaceId,
        key,
        until: new Date(until).toISOString(),
      }),
    );
    // One that stays behind costs its key a pause after the next change of owner, no more.
    db.call(kind.queue.unhold, texts, clock.now()).catch(owned.report("letting go of held keys"));
  }

  return { put, release };
}
