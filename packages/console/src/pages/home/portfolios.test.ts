import type { BusinessAccount, PhoneNumber } from "@waypost/sdk";
import { expect, test } from "vitest";
import { portfoliosOf } from "./portfolios.ts";

const room = (limit: number | null, used: number | null, remaining: number | null) => ({
  limit,
  used,
  remaining,
  resets_at: null,
});
const account = (
  provider_account_id: string,
  portfolio_id: string | null,
  ...limits: PhoneNumber["messaging_limit"][]
): BusinessAccount =>
  ({
    provider_account_id,
    portfolio_id,
    name: `Shop ${provider_account_id}`,
    phone_numbers: limits.map((messaging_limit) => ({ messaging_limit })),
  }) as BusinessAccount; // what is read of it

test("a portfolio is one line for all of its accounts, the fullest first, and none of which nothing is known", () => {
  const shared = room(250, 25, 225);
  const found = portfoliosOf([
    account("1", "p1", shared, shared),
    account("2", null, room(1_000, 900, 100)),
    account("3", "p1", shared),
    account("4", "p2", room(null, null, null)),
    account("5", "p3", room(2_000, 40, 0)),
    account("6", "p4"),
  ]);
  expect(found.map(({ names, share }) => [names, share])).toEqual([
    [["Shop 5"], 0.02],
    [["Shop 2"], 0.9],
    [["Shop 1", "Shop 3"], 0.1],
  ]);
});

test("one that the provider has refused is there without a known limit, and a limit of none is full", () => {
  const found = portfoliosOf([account("1", "p1", room(null, null, 0)), account("2", "p2", room(0, 0, 0))]);
  expect(found.map(({ id, share }) => [id, share])).toEqual([
    ["p1", null],
    ["p2", 1],
  ]);
});
