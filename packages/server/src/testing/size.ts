/** What `npm run test:full` sets: chance gets more runs, and lists are taken whole where `npm test` takes some of each kind. */
const isFull = process.env["WAYPOST_TEST_SIZE"] === "full";

/** Of a number of runs, and of the time that they may take. */
export const bySize = ({ few, full }: { few: number; full: number }): number => (isFull ? full : few);

/** The first of each kind, in their order; at full size all of them. */
export function someOfEachKind<T>(list: readonly T[], kindOf: (one: T) => string): readonly T[] {
  const kinds = new Set<string>();
  return list.filter((one) => {
    const isFirst = !kinds.has(kindOf(one));
    kinds.add(kindOf(one));
    return isFull || isFirst;
  });
}
