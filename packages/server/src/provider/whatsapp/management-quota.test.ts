import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, ManagementQuota } from "./management-quota.ts";

const MINUTE_MS = 60_000;
let now = 0;
let quota: ManagementQuota;
beforeEach(() => {
  now = 1_000_000;
  quota = new ManagementQuota(() => now);
});
const usage = (id: string, ...entries: object[]) => ({
  "x-business-use-case-usage": JSON.stringify({ [id]: entries }),
});
const by = (account = "9001", token = "EAAOWN") => ({ account, caller: callerOf(account, token) });
const waits = (of = by()) => ({
  person: quota.waitMs({ ...of, background: false }) / MINUTE_MS,
  background: quota.waitMs({ ...of, background: true }) / MINUTE_MS,
});
const FREE = { person: 0, background: 0 };

describe("the quota of management calls", () => {
  test.each([
    ["nothing is known", {}, FREE],
    ["little is used", usage("9001", { call_count: 74, total_cputime: 1, total_time: 1 }), FREE],
    ["many calls were made", usage("9001", { call_count: 75 }), { person: 0, background: 4 }],
    ["they took long", usage("9001", { call_count: 1, total_time: 80 }), { person: 0, background: 4 }],
    ["one of two uses is high", usage("9001", { call_count: 1 }, { total_cputime: 90 }), { person: 0, background: 4 }],
    [
      "it is used up for 12 minutes",
      usage("9001", { call_count: 100, estimated_time_to_regain_access: 12 }),
      { person: 12, background: 12 },
    ],
    [
      "an estimate is absurd",
      usage("9001", { estimated_time_to_regain_access: 9_999 }),
      { person: 60, background: 60 },
    ],
    ["it is of another account", usage("9002", { call_count: 100 }), FREE],
    ["all of the app's is used", { "x-app-usage": '{"call_count":90,"total_time":1}' }, { person: 0, background: 4 }],
    ["the header is no JSON", { "x-business-use-case-usage": "{", "x-app-usage": "nothing" }, FREE],
    ["the header is not as documented", { "x-business-use-case-usage": '{"9001":[1,null,{"call_count":"x"}]}' }, FREE],
  ])("when %s", (_what, headers, expected) => {
    expect(quota.learn(by(), headers, null)).toBe(false);
    expect(waits()).toEqual(expected);
  });

  test.each([4, 17, 613, 80_007])(
    "code %i closes the account for four minutes, to this token alone, and no other account",
    (code) => {
      expect(quota.learn(by(), {}, code)).toBe(true);
      expect([waits(), waits(by("9002"))]).toEqual([{ person: 4, background: 4 }, FREE]);
      expect(waits(by("9001", "EAAOTHER"))).toEqual(FREE);
      now += 4 * MINUTE_MS;
      expect(waits()).toEqual(FREE);
    },
  );

  test("a refusal with the provider's own time closes until then", () => {
    quota.learn(by(), usage("9001", { call_count: 100, estimated_time_to_regain_access: 3 }), 80_007);
    // It names the account, whatever it is called with.
    for (const token of ["EAAOWN", "EAAOTHER"]) expect(waits(by("9001", token))).toEqual({ person: 3, background: 4 });
  });

  test("code 4 is about the whole app where the app's usage says so", () => {
    quota.learn(by(), { "x-app-usage": '{"call_count":100}' }, 4);
    expect(waits(by("9002"))).toEqual({ person: 4, background: 4 });
  });

  test.each([100, 190, 133_016, 130_429])("code %i is no refusal for the quota", (code) => {
    expect(quota.learn(by(), {}, code)).toBe(false);
    expect(waits()).toEqual(FREE);
  });

  test("a later answer with room opens it again", () => {
    quota.learn(by(), {}, 80_007);
    quota.learn(by(), usage("9001", { call_count: 10, estimated_time_to_regain_access: 0 }), null);
    expect(waits()).toEqual(FREE);
  });
});
