/** Monotonic milliseconds of the machine: times taken in different processes may be compared. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;
