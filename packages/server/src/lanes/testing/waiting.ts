/** How long a condition is waited for, in milliseconds, for `expect.poll`. */
export const within = (timeout: number) => ({ timeout, interval: 20 });

/** Wide, for machines under load. A bound below the slow sweep (5 s) instead shows that a quicker reader found the row. */
export const SOON = within(20_000);

/** A gate that a test opens. */
export function latch() {
  let pass = (): void => {};
  const self = {
    passed: Promise.resolve(),
    open: () => pass(),
    close() {
      self.passed = new Promise<void>((resolve) => {
        pass = resolve;
      });
    },
  };
  self.close();
  return self;
}
