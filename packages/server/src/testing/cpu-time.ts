/**
 * Milliseconds of CPU time that the work takes in this process: for work whose cost must not grow with the square of its input. What else
 * the machine has to do is not counted.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
