type Fault = readonly [pointer: string, code: string, ...texts: string[]];
export type Unfit = {
  name: string;
  what: string;
  components: unknown[];
  faults: readonly Fault[];
  /** The provider's code for the same; without one it takes it and the person gets a message that is wrong. */
  provider: number | undefined;
};
export const unfit = (
  name: string,
  what: string,
  components: unknown[],
  provider: number | undefined,
  ...faults: Fault[]
): Unfit => ({
  name,
  what,
  components,
  faults,
  provider,
});
