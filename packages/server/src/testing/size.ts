/**
 * True in `npm run test:full`, which runs each file that imports this one: chance gets more runs, lists are taken whole, and processes
 * get thousands of messages, callbacks and rows where `npm test` has hundreds.
 */
const isFull = process.env["WAYPOST_TEST_SIZE"] === "full";

export const sized = <Value>(small: Value, full: Value): Value => (isFull ? full : small);

/** The first of each kind, in their order; at full size all of them. */
export function someOfEachKind<T>(list: readonly T[], kindOf: (one: T) => string): readonly T[] {
  const kinds = new Set<string>();
  return list.filter((one) => {
    const isFirst = !kinds.has(kindOf(one));
    kinds.add(kindOf(one));
    return isFull || isFirst;
  });
}
