// Every advisory lock of the database that has a number. They share one space of numbers: two purposes with one number would
// wait for each other. Old and new processes run side by side, so a number never changes its purpose. The locks of
// partitions are hashes of 32 bits, all smaller than these.

/** Held while roles, migrations, partitions and functions are installed. Earlier versions wait for it in a statement. */
export const MIGRATION_LOCK = 4_919_202_611;
/** A round of retention: several processes may have the role, and one of them runs it. */
export const RETENTION_LOCK = 4_919_202_612;
/**
 * Held during the whole migration. `MIGRATION_LOCK` is released while indexes are built: building waits for the snapshots of
 * running statements, and a statement that waits for the builder's lock would deadlock with it.
 */
export const TURN_LOCK = 4_919_202_613;
/** A look at parked statuses: one process at a time, over the whole database. */
export const JOIN_LOCK = 4_919_202_614;
/** Counting usage: one process at a time. */
export const USAGE_LOCK = 4_919_202_615;
/** Counting service messages that were delivered: one process at a time. */
export const SERVICE_LOCK = 4_919_202_645;
/** Emptying account events of earlier versions: one process at a time. */
export const EMPTY_EVENTS_LOCK = 4_919_202_668;
/** A look at messages whose `expires_at` has passed: one process at a time. */
export const EXPIRE_LOCK = 4_919_202_616;
/** Counting what was reported of messages: one process at a time. */
export const METRICS_LOCK = 4_919_202_671;
/** Adding up attempts to deliver: one process at a time. */
export const ATTEMPTS_LOCK = 4_919_202_672;
