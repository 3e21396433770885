import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../../../testing/call.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { APP_SECRET } from "../../../testing/provider-account.ts";
import { expectGraphError } from "../testing/front.ts";
import { openProviderStub, type ProviderStub, type Said } from "../testing/provider-stub.ts";
import { ownedBy, type PassedCall } from "./passed-call.ts";
import { PASSED_CALLS } from "./table.ts";

let gateway: Gateway;
let provider: ProviderStub;
let mine: Sender;
let theirs: Sender;

const PUBLIC_URL = "https://gateway.example";
const FLOW = "550000000000001";
const GROUP = "Y2FwaV9ncm91cDoxNTU1";

beforeAll(async () => {
  provider = await openProviderStub();
  gateway = await startGateway({ PROVIDER_BASE_URL: provider.url, PUBLIC_URL, API_RATE_LIMIT: "off" });
  provider.standBefore(gateway.simulator.url);
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const EDGES = PASSED_CALLS.filter(({ path }) => path.split("/").length > 2).map((call): [string, PassedCall] => [
  `${call.method} ${call.path}`,
  call,
]);

/** The path of a call with the ids of this workspace; flows and groups are the same for all. */
function pathOf(call: PassedCall, { account }: Sender): string {
  const ids: Record<string, string> = {
    number: account.providerPhoneNumberId,
    account: account.wabaId,
    template: account.templates["order_ready"] ?? "",
    flow: FLOW,
    group: GROUP,
    code: "4O4YGZEG3RIVE1",
  };
  return `/v20.0${call.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? name)}`;
}

/** The look-ups of flows and groups: the flow is of this account, and the group of this number. */
function owned({ account }: Sender) {
  return ({ path }: { path: string }): Said | null => {
    const { pathname, searchParams } = new URL(path, "http://provider.example");
    const isLook = searchParams.get("fields") === "id,whatsapp_business_account";
    if (pathname === `/v26.0/${FLOW}` && isLook)
      return { body: { id: FLOW, whatsapp_business_account: { id: account.wabaId, name: "Shop" } } };
    if (pathname === `/v26.0/${account.providerPhoneNumberId}/groups` && searchParams.get("fields") === "id")
      return { body: { data: { groups: [{ id: GROUP }] } } };
    return null;
  };
}

const withoutTrace = ({ status, text }: Reply) => [status, text.replace(/"fbtrace_id":"[^"]*"/, "")];
/** Parameters that a call needs to be passed on at all. */
const needed = ({ templates }: PassedCall, { account }: Sender): Record<string, string> =>
  templates === undefined ? {} : { [templates]: account.templates["order_ready"] ?? "" };

const ask = (of: Sender, call: PassedCall, path: string, values: Record<string, unknown> = {}): Promise<Reply> =>
  call.method === "GET"
    ? of.call("GET", `${path}?${new URLSearchParams(values as Record<string, string>).toString()}`)
    : of.call(call.method, path, { body: values });

describe.each(EDGES)("%s", (_name, call) => {
  it("is built here, and gives back nothing of what is another's", async () => {
    const { token } = mine.account;
    const proof = createHmac("sha256", APP_SECRET).update(token).digest("hex");
    const link = `${provider.url}/v26.0/1/x?access_token=${encodeURIComponent(token)}&appsecret_proof=${proof}&after=B`;
    const object = { id: theirs.account.wabaId, name: "Their shop" };
    const hostile = {
      success: true,
      id: theirs.account.providerPhoneNumberId,
      name: "Their shop",
      note: `${token} ${proof} ${APP_SECRET} ${encodeURIComponent(token)}`,
      whatsapp_business_account: object,
      data: [object, { code: "OURS", of: [object], owner: object }, { phone_number_id: "99999", name: "Their shop" }],
      paging: { cursors: { after: "B" }, next: link, previous: link },
    };
    const look = owned(mine);
    const path = pathOf(call, mine);
    const called = path.replace("v20.0", "v26.0");
    // Templates are read again by a task, at any time: from the simulator.
    provider.says((asked) => {
      if (asked.path.split("?", 1)[0] !== called) return look(asked);
      return look(asked) ?? { body: hostile, headers: { "x-token": token, location: link } };
    });
    const reply = await ask(mine, call, path, { access_token: "EAAOTHER", ...needed(call, mine) });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"success":true')]);
    const all = JSON.stringify([reply.headers, reply.text]);
    for (const secret of [
      token,
      proof,
      APP_SECRET,
      "Their shop",
      theirs.account.wabaId,
      "99999",
      provider.url,
      "x-token",
    ])
      expect(all).not.toContain(secret);
    expect(reply.body.data).toEqual([{ code: "OURS", of: [] }]);
    expect(new URL(reply.body.paging.next).origin).toBe(PUBLIC_URL);
    const made = provider.asked.at(-1);
    const { pathname, searchParams } = new URL(made?.path ?? "", provider.url);
    expect([made?.method, pathname]).toEqual([call.method, called]);
    expect([searchParams.get("appsecret_proof"), searchParams.get("access_token")]).toEqual([proof, null]);
    expect(made?.headers["authorization"]).toBe(`Bearer ${token}`);
    expect(JSON.stringify(made)).not.toContain(mine.key);
    expect(made?.body).not.toContain("EAAOTHER");
  });

  it("answers for another workspace's object as for one that there is not", async () => {
    provider.says(owned(theirs));
    const unknown: Sender = {
      ...theirs,
      account: {
        ...theirs.account,
        wabaId: "98765",
        providerPhoneNumberId: "87654",
        templates: { order_ready: "76543" },
      },
    };
    const foreign = await ask(mine, call, pathOf(call, theirs), needed(call, mine));
    const askedForForeign = provider.asked.length;
    const missing = await ask(mine, call, pathOf(call, unknown), needed(call, mine));
    expect(withoutTrace(foreign)).toEqual(withoutTrace(missing));
    expectGraphError(foreign, 400, 100, 33);
    const isAsked = ["flow", "group"].includes(ownedBy(call));
    expect(isAsked || askedForForeign === 0).toBe(true);
    expect(provider.asked.every(({ method }) => method === "GET")).toBe(true);
  });
});
