import { describe, expect, it } from "vitest";
import { formatId } from "../../lib/ids.ts";
import { callbackOf, postCallback, preferencesOf, textFrom } from "../../testing/callback.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { changeOf, peopleOf } from "./testing/people.ts";

const { gateway, mine, sentTo } = await startSenders({ API_RATE_LIMIT: "off" });
const { post, hear, find, get, seconds } = peopleOf(gateway, mine);

const con = (uuid: string): string => formatId("con", uuid);
const consentOf = async (id: string): Promise<string> =>
  (await mine.call("GET", `/v1/contacts/${id}`)).body.marketing_consent;
const create = async (digits: string): Promise<string> =>
  (await mine.call("POST", "/v1/contacts", { body: { phone: `+${digits}`, name: "Bob" } })).body.id;
const filedWith = async (providerId: string): Promise<string> => {
  const [row] = await mine.rows<{ contact_id: string }>(
    "select s.contact_id from message_state s where s.provider_message_id = $1",
    [providerId],
  );
  return con(row?.contact_id ?? "");
};

describe("what the former owner of a number wrote before they left it, and comes when it is another's", () => {
  it.each([
    { is: "the notice naming user ids", from: "15557850001", to: "15557850002", address: "15557850001", ids: true },
    { is: "the notice naming none", from: "15557850011", to: "15557850012", address: "15557850011", ids: false },
    { is: "another form of it", from: "553181230001", to: "5531981230002", address: "5531981230001", ids: true },
  ])("is theirs by the user id, and joins nobody with them: $is", async ({ from, to, address, ids }) => {
    const at = seconds() - 600;
    const userId = `US.LATE${from}`;
    const mover = await hear(from, userId, { timestamp: String(at - 60) });
    await post(changeOf(from, to, at, ids ? { old: userId, new: `${userId}B` } : {}));
    const next = await create(address);
    expect(await hear(from, userId, { timestamp: String(at - 30) })).toBe(mover);
    await gateway.features.services.identityResolver.resolve();
    expect(await get(next)).toMatchObject({ id: next, phone: `+${address}`, windows: [] });
    expect((await find(`+${to}`))?.id).toBe(con(mover));
    const { body } = await mine.send(`+${address}`);
    await mine.becomes(body.id, "accepted");
    expect(body.contact_id).toBe(next);
    expect([sentTo(`+${address}`).length, sentTo(`+${to}`).length]).toEqual([1, 0]);
  });

  it("is theirs without a user id: a message, a STOP, a setting and an echo", async () => {
    const at = seconds() - 600;
    const mover = con(await hear("15557850031", null, { timestamp: String(at - 60) }));
    await post(changeOf("15557850031", "15557850032", at));
    const next = await create("15557850031");
    await post(textFrom("15557850031", "wamid.late.stop", "STOP", (at - 30) * 1_000));
    expect(await filedWith("wamid.late.stop")).toBe(mover);
    expect([await consentOf(mover), await consentOf(next)]).toEqual(["opted_out", "unknown"]);
    const setting = { wa_id: "15557850031", value: "resume" as const, timestamp: at - 20 };
    expect((await postCallback(gateway, preferencesOf(mine.account, setting))).status).toBe(200);
    expect([await consentOf(mover), await consentOf(next)]).toEqual(["opted_in", "unknown"]);
    const echo = {
      from: mine.account.phone.slice(1),
      to: "15557850031",
      id: "wamid.late.echo",
      timestamp: String(at - 10),
      type: "text",
      text: { body: "For who was there" },
    };
    const { entry } = callbackOf(mine.account, { message_echoes: [echo] }) as { entry: { changes: object[] }[] };
    const changes = entry[0]?.changes.map((change) => ({ ...change, field: "smb_message_echoes" }));
    const callback = { object: "whatsapp_business_account", entry: [{ ...entry[0], changes }] };
    expect((await postCallback(gateway, callback)).status).toBe(200);
    expect(await filedWith("wamid.late.echo")).toBe(mover);
    expect((await get(next)).windows).toEqual([]);
  });

  it("is theirs when the new owner has written; what that one wrote, also before the client knew the number, is not", async () => {
    const at = seconds() - 600;
    const mover = await hear("15557850041", null, { timestamp: String(at - 60) });
    await post(changeOf("15557850041", "15557850042", at));
    const next = await hear("15557850041", null, { timestamp: String(at + 60) });
    expect(await hear("15557850041", null, { timestamp: String(at - 30) })).toBe(mover);
    expect(await hear("15557850041", null, { timestamp: String(at + 30) })).toBe(next);
    await post(changeOf("15557850041", "15557850043", at + 120));
    await create("15557850041");
    expect(await hear("15557850041", null, { timestamp: String(at - 20) })).toBe(mover);
    expect(await hear("15557850041", null, { timestamp: String(at + 90) })).toBe(next);
  });
});
