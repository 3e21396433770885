import type { Sql } from "../../db/database.ts";

/** A slot's row as its owner asks for it. */
export type SlotRow = { kind: number; slot: number; epoch: number };

/** Registers a worker with a lease of `leaseMs`. */
export async function insertWorker(
  sql: Sql,
  worker: { id: string; roles: readonly string[]; version: string; leaseMs: number },
): Promise<void> {
  await sql.run(
    "insert into worker (id, roles, version, expires_at) values ($1, $2, $3, clock_timestamp() + $4::interval)",
    [worker.id, [...worker.roles], worker.version, interval(worker.leaseMs)],
  );
}

/** Live workers by role, and the slots of all kinds that the table gives to one of them. */
export type Shares = { liveByRole: Map<string, number>; slots: SlotRow[] };
type SharesRow = { roles: { role: string; n: number }[]; slots: SlotRow[] };

/** Columns of a select: the shares of the worker $1. */
const SHARES = `
  (select coalesce(json_agg(l), '[]') from (
     select role, count(*)::int as n from worker, unnest(roles) role where expires_at > clock_timestamp() group by role) l) as roles,
  (select coalesce(json_agg(json_build_object('kind', s.kind, 'slot', s.slot, 'epoch', s.epoch)), '[]')
   from slot s where s.owner = $1) as slots`;

const sharesOf = ({ roles, slots }: SharesRow): Shares => ({
  liveByRole: new Map(roles.map(({ role, n }) => [role, n])),
  slots,
});

/** Renews a lease that has not lapsed. Returns the database's clock in milliseconds and the shares, or null when the lease is gone. */
export async function renewWorker(sql: Sql, id: string, leaseMs: number): Promise<(Shares & { nowMs: number }) | null> {
  const [row] = await sql.query<SharesRow & { now_ms: number }>(
    `with renewed as (
       update worker set expires_at = clock_timestamp() + $2::interval where id = $1 and expires_at > clock_timestamp()
       returning (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms)
     select r.now_ms, ${SHARES} from renewed r`,
    [id, interval(leaseMs)],
  );
  return row ? { nowMs: row.now_ms, ...sharesOf(row) } : null;
}

export async function deleteWorker(sql: Sql, id: string): Promise<void> {
  await sql.run("delete from worker where id = $1", [id]);
}

/** Deletes workers whose lease lapsed an hour ago. */
export async function deleteLapsedWorkers(sql: Sql): Promise<void> {
  await sql.run("delete from worker where expires_at < clock_timestamp() - interval '1 hour'");
}

/** The shares of a worker that has not renewed its lease yet. */
export async function selectShares(sql: Sql, worker: string): Promise<Shares> {
  const [row] = await sql.query<SharesRow>(`select ${SHARES}`, [worker]);
  return sharesOf(row ?? { roles: [], slots: [] });
}

/** Takes up to `count` free slots of a kind, at random; none when the worker's own lease has lapsed. */
export function takeSlots(sql: Sql, worker: string, kind: number, count: number): Promise<Omit<SlotRow, "kind">[]> {
  return sql.query(
    `with live as materialized (select id from worker where expires_at > clock_timestamp()),
            free as (select s.kind, s.slot from slot s where s.kind = $2 and (s.owner is null or s.owner not in (select id from live))
                     order by random() limit $3 for update skip locked)
       update slot s set owner = $1, epoch = s.epoch + 1 from free f
        where s.kind = f.kind and s.slot = f.slot and exists (select from live where id = $1)
       returning s.slot, s.epoch`,
    [worker, kind, count],
  );
}

/** Gives slots back, each under just that epoch: should the statement run late, it gives back none that was taken again since. */
export async function giveBackSlots(sql: Sql, worker: string, slots: readonly SlotRow[]): Promise<void> {
  await sql.run(
    `update slot s set owner = null from unnest($2::smallint[], $3::smallint[], $4::int[]) g (kind, slot, epoch)
        where s.kind = g.kind and s.slot = g.slot and s.epoch = g.epoch and s.owner = $1`,
    [worker, slots.map(({ kind }) => kind), slots.map(({ slot }) => slot), slots.map(({ epoch }) => epoch)],
  );
}

export async function giveBackAllSlots(sql: Sql, worker: string): Promise<void> {
  await sql.run("update slot set owner = null where owner = $1", [worker]);
}

const interval = (ms: number): string => `${ms} milliseconds`;
