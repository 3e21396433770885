import { beforeEach, describe, expect, it } from "vitest";
import type { NumberRegistration } from "../../../provider/signup-calls.ts";
import type { Workspace } from "../../../testing/gateway.ts";
import { registrationsOf } from "./register-step.ts";
import {
  accountsOf,
  addAccount,
  becomes,
  begin,
  codeFor,
  completed,
  failed,
  nextOf,
  resume,
  type Signup,
  startSignups,
} from "./testing/signups.ts";

const signups = await startSignups();
const { gateway, provider } = signups;
let mine: Workspace;
beforeEach(async () => {
  mine = await gateway.workspace();
});

const registrations = () => provider.asked.filter((call) => call.endsWith("/register"));
const refusal = (code: number) => ({
  status: 400,
  body: { error: { message: `(#${code}) No`, code, error_data: { details: "Later." } } },
});

describe("which numbers are registered", () => {
  const number = (id: string, more: Partial<NumberRegistration> = {}): NumberRegistration => ({
    providerPhoneNumberId: id,
    phone: `+1555000${id}`,
    status: "pending",
    verified: true,
    withApp: false,
    ...more,
  });
  const all = [
    number("1"),
    number("2", { status: "connected" }),
    number("3", { withApp: true }),
    number("4", { verified: false }),
    number("5", { status: "banned" }),
    number("6", { status: "disconnected" }),
  ];
  const idsOf = (named: string | null) =>
    registrationsOf(all, named).wanted.map(({ providerPhoneNumberId }) => providerPhoneNumberId);

  it("without a name those that can be; of the others it says why", () => {
    expect(idsOf(null)).toEqual(["1", "6"]);
    expect(registrationsOf(all, null).skipped).toEqual([
      "+15550002 is registered already",
      "+15550003 stays in the WhatsApp Business app and needs no registration",
      "+15550004 is not verified",
      "+15550005 is banned and cannot be registered",
    ]);
  });

  it.each([
    ["1", ["1"]],
    ["2", []],
    ["3", []],
    ["4", ["4"]],
  ])("named %s: %j", (named, ids) => {
    expect(idsOf(named)).toEqual(ids);
  });
});

describe("the register step", () => {
  it("registers the named number alone", async () => {
    const account = addAccount(signups, { numbers: [{ status: "PENDING" }, { status: "PENDING" }] });
    const [first, second] = account.numberIds;
    const id = await begin(mine, { code: codeFor(signups, [account]), provider_phone_number_id: second });
    await completed(mine, id);
    expect(registrations()).toEqual([`POST /${second}/register`]);
    const numbers = await mine.rows("select provider_phone_number_id as id, status from phone_number order by id");
    expect(numbers).toEqual([
      { id: first, status: "pending" },
      { id: second, status: "connected" },
    ]);
  });

  it("a number that is registered elsewhere has another PIN: a clear end, and resume with the PIN goes on from there", async () => {
    const account = addAccount(signups, { numbers: [{ status: "PENDING", pin: "445566" }] });
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    expect(nextOf(await failed(mine, id))).toMatchObject({
      name: "register",
      error: { code: "pin_wrong", provider: { code: 133005 } },
    });
    expect(await accountsOf(mine)).toEqual({});
    await resume(mine, id, { pin: "000000" });
    await failed(mine, id);
    await resume(mine, id, { pin: "445566" });
    await completed(mine, id);
    expect(
      provider.asked.filter((call) => call.startsWith("GET /oauth") || call.startsWith("GET /debug")),
    ).toHaveLength(2);
  });

  it("a number that is not verified is named as such", async () => {
    const account = addAccount(signups, { numbers: [{ status: "UNVERIFIED" }] });
    const id = await begin(mine, {
      code: codeFor(signups, [account]),
      provider_phone_number_id: account.numberIds[0],
    });
    expect(nextOf(await failed(mine, id))).toMatchObject({
      error: { code: "phone_number_not_verified", provider: { code: 133006 } },
    });
    await resume(mine, id, { provider_phone_number_id: null });
    expect((await completed(mine, id)).steps[4].detail).toMatch(/is not verified/);
  });

  it.each([
    [133008, 3_600_000],
    [133009, 60_000],
    [133015, 300_000],
    [133016, 6 * 3_600_000],
  ])("%i is tried again after its pause, and not before", async (code, pauseMs) => {
    const account = addAccount(signups);
    provider.fail(/register$/, refusal(code), 1);
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    const waits = await becomes(mine, id, (signup: Signup) => nextOf(signup)?.error?.provider?.code === code);
    expect(waits.status).toBe("running");
    expect(nextOf(waits)).toMatchObject({ name: "register", status: "pending", error: { retryable: true } });
    const [row] = await mine.rows<{ wait: number }>(
      "select extract(epoch from next_try_at - updated_at)::int * 1000 as wait from embedded_signup",
    );
    expect(row?.wait).toBe(pauseMs);
    gateway.clock.advance(pauseMs + 1_000);
    await completed(mine, id);
    expect(registrations()).toHaveLength(2);
  });

  it("at the account's quota of calls it waits for as long as the provider says", async () => {
    const account = addAccount(signups, { numbers: [{ status: "PENDING" }, { status: "PENDING" }] });
    gateway.simulator.setSettings({ managementCallsPerHour: 5 }); // the account, its numbers twice, the subscription, one registration
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await becomes(mine, id, (signup: Signup) => nextOf(signup)?.error?.provider?.code === 80007);
    const wait = "select next_try_at - updated_at > interval '55 minutes' as hour from embedded_signup";
    expect(await mine.rows(wait)).toEqual([{ hour: true }]);
    gateway.simulator.setSettings({ managementCallsPerHour: null });
    gateway.clock.advance(61 * 60_000);
    await completed(mine, id);
    expect(registrations()).toHaveLength(3);
  });

  it("a registration whose answer is lost is not repeated, and its PIN is the number's from then on", async () => {
    const account = addAccount(signups);
    provider.fail(/register$/, "lost", 1);
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    const done = await completed(mine, id, () => gateway.clock.advance(1_000));
    expect(done.steps[4].detail).toMatch(/is registered already/);
    expect(registrations()).toHaveLength(1);
    // Taken from the API, it is registered again by another signup with the same PIN.
    gateway.simulator.setNumber(account.numberIds[0] ?? "", { status: "DISCONNECTED" });
    await completed(mine, await begin(mine, { code: codeFor(signups, [account]) }));
    expect(registrations()).toHaveLength(2);
  });
});
