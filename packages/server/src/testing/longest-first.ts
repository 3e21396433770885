import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Where the tests of minutes and tens of seconds are: first those that start programs, last what is not listed. */
const LONGEST = [
  /\/tests\/newcomer\//,
  /\/tests\/process\/(faults|hand-over|rate-limit)\./,
  /\/tests\/console\/(access|states|docs-pages)\./,
  /\/tests\/process\//,
  /\/tests\/upgrade\//,
  /\/db\/embedded\//,
  /\.slow\.test\.ts$/,
  /\/tests\/database\//,
];

/** The longest files first, so that at the end of a run no worker waits for one that began late. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Within a place: as the last run measured, or by size in a new clone.
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((pattern) => pattern.test(moduleId));
  return place === -1 ? LONGEST.length : place;
}
