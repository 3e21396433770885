import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { testsOf, WALKS } from "../scripts/changed-tests.mjs";

const SHOP = "packages/server/src/features/shop";
const FILES = [
  `${SHOP}/order.ts`,
  `${SHOP}/order.store.ts`,
  `${SHOP}/orders.test.ts`,
  `${SHOP}/ship/parcel.test.ts`,
  `${SHOP}/testing/shops.ts`,
  "packages/server/src/features/till/till.ts",
  "packages/server/src/features/till/till.test.ts",
  "packages/server/src/features/rest/rest.test.ts",
  "packages/server/src/lib/ids.ts",
  "tests/front/coverage.test.ts",
  "tests/front/main-job.test.ts",
  "tests/database/plans.test.ts",
  ...Array.from({ length: 50 }, (_, n) => `packages/server/src/lib/user-${n}.ts`),
];
const IMPORTS: Record<string, string[]> = {
  "packages/server/src/features/till/till.ts": [`${SHOP}/order.ts`],
  "tests/front/main-job.test.ts": [`${SHOP}/order.store.ts`],
};
const importsOf = (file: string): string[] =>
  IMPORTS[file] ?? (file.includes("/user-") ? ["packages/server/src/lib/ids.ts"] : []);
const OWN = [`${SHOP}/orders.test.ts`, `${SHOP}/ship/parcel.test.ts`];

it.each([
  { changed: [`${SHOP}/order.ts`], tests: [...OWN, "packages/server/src/features/till/till.test.ts"] },
  {
    changed: [`${SHOP}/order.store.ts`],
    tests: [...OWN, "tests/front/main-job.test.ts", "tests/database/plans.test.ts"],
  },
  { changed: [`${SHOP}/testing/shops.ts`], tests: OWN },
  { changed: [`${SHOP}/orders.test.ts`], tests: [`${SHOP}/orders.test.ts`] },
  // Both are gone; the tests beside them are not.
  { changed: [`${SHOP}/routes.ts`, `${SHOP}/routes.test.ts`], tests: [...OWN, "tests/front/coverage.test.ts"] },
  { changed: ["CHANGELOG.md"], tests: [] },
])("tests that are beside $changed, import it or walk over its kind", ({ changed, tests }) => {
  expect(testsOf(changed, FILES, importsOf)).toEqual({ tests, all: false });
});

it.each(["packages/server/src/lib/ids.ts", "packages/server/src/testing/gateway.ts", "vitest.config.ts"])(
  "all quick tests for %s, on which they stand",
  (file) => {
    expect(testsOf([file], FILES, importsOf).all).toBe(true);
  },
);

it("names walking tests that there are", () => {
  expect(WALKS.flatMap(({ tests }) => tests).filter((file) => !existsSync(file))).toEqual([]);
});
