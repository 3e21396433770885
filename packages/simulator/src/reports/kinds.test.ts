import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { INBOUND_SAMPLES } from "../people/inbound-samples.ts";
import { NO_DELAYS, type Pair, startPair, template } from "../testing/provider.ts";
import { STATUS_NAMES } from "../world/settings.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  // One at a time, so that they arrive in their order.
  pair.simulator.setSettings({ callbacksInFlight: 1 });
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const ANA = "+15550001111";
const WA_ID = "15550001111";
const post = async (path: string, body: Record<string, unknown>) => {
  const answer = await pair.call("POST", `/sim/${path}`, { phone_number_id: "1055", ...body });
  await pair.simulator.idle();
  return answer;
};
const lastChange = () => pair.receiver.changes().at(-1);

describe("inbound samples", () => {
  test.each(INBOUND_SAMPLES)("%s", async (sample) => {
    const { status, body } = await post("inbound", { from: ANA, sample, id: "wamid.S1" });
    expect([status, body.reported]).toEqual([201, true]);
    const [message] = lastChange()!.value["messages"];
    expect(message).toMatchObject({ from: WA_ID, id: "wamid.S1", type: expect.any(String) });
    // All but the opening of a chat have something to say, under their type.
    expect(message.type in message).toBe(sample !== "request_welcome");
  });

  test("a changed security code names the new identity and whose it is", async () => {
    await post("inbound", { from: ANA, sample: "system" });
    const [{ system }] = lastChange()!.value["messages"];
    expect(system).toMatchObject({ type: "customer_identity_changed", identity: expect.any(String), customer: WA_ID });
  });

  test("are listed, and a name that is not among them is a 400", async () => {
    expect((await pair.call("GET", "/sim/kinds")).body.inbound_samples).toEqual(INBOUND_SAMPLES);
    expect((await post("inbound", { from: ANA, sample: "hologram" })).status).toBe(400);
  });

  test("edit and revoke are about the person's last message, replies and reactions about the business's", async () => {
    pair.simulator.setDelays({ statuses: false });
    await post("inbound", { from: ANA, id: "wamid.MINE", text: "hi" });
    await post("inbound", { from: "+15550002222", id: "wamid.OTHER", text: "hi" });
    const sent = (await pair.send({ to: ANA, type: "text", text: { body: "hello" } })).body.messages[0].id;
    const about = async (sample: string, more: Record<string, unknown> = {}) => {
      await post("inbound", { from: ANA, sample, ...more });
      const [{ edit, revoke, reaction, context }] = lastChange()!.value["messages"];
      return (edit ?? revoke)?.original_message_id ?? reaction?.message_id ?? context?.id;
    };
    expect(await about("edit", { id: "wamid.EDIT" })).toBe("wamid.MINE");
    expect(await about("revoke", { quotes: "wamid.OLD" })).toBe("wamid.OLD");
    for (const sample of ["reaction", "button", "button_reply", "reply", "product_question"]) {
      expect(await about(sample)).toBe(sent);
    }
    expect(await about("reaction", { quotes: "wamid.OLD" })).toBe("wamid.OLD");
  });

  test("keys that are given win over the sample's", async () => {
    await post("inbound", { from: ANA, sample: "image", context: { forwarded: true }, image: { id: "1" } });
    expect(lastChange()?.value["messages"]).toMatchObject([{ image: { id: "1" }, context: { forwarded: true } }]);
  });

  test("a group and a system message open no window", async () => {
    for (const sample of ["group", "system"]) await post("inbound", { from: ANA, sample });
    const free = { to: ANA, type: "text", text: { body: "hello" } };
    await pair.send(free);
    await pair.simulator.idle();
    expect(pair.receiver.statuses()).toMatchObject([{ status: "failed", errors: [{ code: 131047 }] }]);
  });
});

describe("statuses", () => {
  test.each(STATUS_NAMES)("%s of a message that was sent", async (status) => {
    pair.simulator.setDelays({ statuses: false });
    const { body } = await pair.send({ ...template(ANA), biz_opaque_callback_data: "m_1" });
    const { id } = body.messages[0];
    const answer = await pair.call("POST", "/sim/statuses", { id, status, timestamp: "1790000009" });
    expect([answer.status, answer.body.reported]).toEqual([201, true]);
    await pair.simulator.idle();
    const common = { id, status, timestamp: "1790000009", recipient_id: WA_ID, biz_opaque_callback_data: "m_1" };
    expect(pair.receiver.statuses()).toMatchObject([common]);
    expect(pair.receiver.statuses()[0]?.["errors"]?.[0].code).toBe(status === "failed" ? 131000 : undefined);
    expect(pair.simulator.sent().data[0]?.status).toBe(status);
  });

  test("of a message of another system that shares the number", async () => {
    const status = { id: "wamid.THEIRS", status: "delivered" };
    expect((await pair.call("POST", "/sim/statuses", status)).status).toBe(400);
    expect((await post("statuses", status)).status).toBe(400);
    expect((await post("statuses", { ...status, person: ANA })).body.reported).toBe(true);
    expect(pair.receiver.statuses()).toMatchObject([{ ...status, recipient_id: WA_ID }]);
    expect((await post("statuses", { ...status, status: "seen", person: ANA })).status).toBe(400);
  });

  test("only returned, and sent later, altered", async () => {
    const failed = { id: "wamid.X", status: "failed", code: 131026, warmth: 3 } as const;
    const later = pair.simulator.status({ ...failed, phone_number_id: "1055", person: ANA, report: false });
    expect(later).toMatchObject({ reported: false, update: { field: "messages" } });
    await pair.simulator.idle();
    expect(pair.receiver.posts).toEqual([]);
    pair.simulator.sendUpdate(later.update);
    await pair.simulator.idle();
    expect(pair.receiver.statuses()).toMatchObject([{ id: "wamid.X", errors: [{ code: 131026 }], warmth: 3 }]);
  });

  test("by a plan: played, deleted and warning beside the others", async () => {
    const statuses = ["warning", "sent", "delivered", "read", "played", "deleted"];
    expect((await pair.call("POST", "/sim/faults", { kind: "statuses", statuses })).status).toBe(201);
    await pair.send(template(ANA));
    await pair.simulator.idle();
    expect(pair.receiver.statuses().map(({ status }) => status)).toEqual(statuses);
  });

  test("audio is played when that has a delay, and nothing else is", async () => {
    await post("inbound", { from: ANA, text: "hi" });
    expect((await pair.call("PUT", "/sim/delays", { playedMs: 0 })).body).toMatchObject({ ...NO_DELAYS, playedMs: 0 });
    await pair.send({ to: ANA, type: "audio", audio: { link: "https://cdn.example/a.ogg" } });
    await pair.send(template(ANA));
    await pair.simulator.idle();
    const states = pair.receiver.statuses().map(({ status }) => status);
    expect(states.toSorted()).toEqual(["delivered", "delivered", "played", "read", "read", "sent", "sent"]);
  });
});

describe("numbers in the app of the owner", () => {
  test("echoes of every kind", async () => {
    const { body } = await post("echoes", { to: ANA, text: "Hi", timestamp: "1790000400" });
    const common = { from: "15559990000", to: WA_ID };
    expect(lastChange()).toMatchObject({
      field: "smb_message_echoes",
      value: {
        metadata: { phone_number_id: "1055" },
        message_echoes: [{ ...common, id: body.id, timestamp: "1790000400", type: "text", text: { body: "Hi" } }],
      },
    });
    await post("echoes", {
      to: ANA,
      type: "revoke",
      revoke: { original_message_id: body.id },
      field: "message_echoes",
    });
    expect(lastChange()).toMatchObject({
      field: "message_echoes",
      value: { message_echoes: [{ ...common, type: "revoke", revoke: { original_message_id: body.id } }] },
    });
  });

  test("a history in parts, with threads of both sides, and media to come", async () => {
    const messages = [
      { type: "media_placeholder", id: "wamid.H1", timestamp: "1780000000" },
      { by_person: false, text: "Thanks", status: "PLAYED" },
    ];
    await post("history", { threads: [{ person: ANA, messages }], phase: 1, chunk_order: 2, progress: 55 });
    const [part] = lastChange()!.value["history"];
    expect(part.metadata).toEqual({ phase: 1, chunk_order: 2, progress: 55 });
    expect(part.threads).toMatchObject([
      {
        id: WA_ID,
        messages: [
          { from: WA_ID, id: "wamid.H1", timestamp: "1780000000", history_context: { status: "READ" } },
          { from: "15559990000", to: WA_ID, text: { body: "Thanks" }, history_context: { status: "PLAYED" } },
        ],
      },
    ]);
    await post("history", { threads: [{ person: ANA }, { person: "+15550002222" }] });
    const [usual] = lastChange()!.value["history"];
    expect(usual.threads.map((thread: { messages: unknown[] }) => thread.messages.length)).toEqual([2, 2]);
    expect((await post("history", { threads: [{ persons: [ANA] }] })).status).toBe(400);
  });

  test("entries of the address book", async () => {
    const contacts = [
      { person: ANA, full_name: "Ana Lima" },
      { person: "+15550002222", action: "remove" },
    ];
    await post("app-state", { contacts, timestamp: "1790000500" });
    const metadata = { timestamp: "1790000500" };
    const added = { full_name: "Ana Lima", first_name: "Ana", phone_number: WA_ID };
    expect(lastChange()).toMatchObject({
      field: "smb_app_state_sync",
      value: {
        state_sync: [
          { type: "contact", contact: added, action: "add", metadata },
          { type: "contact", contact: { phone_number: "15550002222" }, action: "remove", metadata },
        ],
      },
    });
  });
});

test("a person's call opens the window, the business's does not", async () => {
  const free = { to: ANA, type: "text", text: { body: "hello" } };
  const business = (await post("calls", { person: ANA, from_business: true, event: "terminate", duration: 12 })).body;
  expect(lastChange()).toMatchObject({
    field: "calls",
    value: {
      contacts: [{ wa_id: WA_ID }],
      calls: [{ id: business.id, from: "15559990000", to: WA_ID, event: "terminate", duration: 12 }],
    },
  });
  await pair.send(free);
  await pair.simulator.idle();
  expect(pair.receiver.statuses()).toMatchObject([{ status: "failed" }]);
  await post("calls", { person: ANA, id: "wacid.1" });
  expect(lastChange()?.value["calls"]).toMatchObject([
    { id: "wacid.1", from: WA_ID, to: "15559990000", event: "connect", direction: "USER_INITIATED" },
  ]);
  await pair.send(free);
  await pair.simulator.idle();
  expect(pair.receiver.statuses().at(-1)).toMatchObject({ status: "read" });
});

test("a call has what the provider always says of it, in its shape", async () => {
  const timestamp = "1790000360";
  const callOf = async (more: object) => {
    const { status } = await post("calls", { person: ANA, timestamp, ...more });
    return status === 201 ? (lastChange()!.value["calls"] as object[])[0] : status;
  };
  expect(await callOf({})).toMatchObject({ event: "connect", session: { sdp_type: "offer", sdp: "v=0\r\n" } });
  expect(await callOf({ from_business: true })).toMatchObject({ session: { sdp_type: "answer" } });
  const session = { sdp_type: "offer", sdp: "v=1" };
  expect(await callOf({ session })).toMatchObject({ session });
  expect(await callOf({ event: "terminate", duration: 59 })).toMatchObject({
    status: "COMPLETED",
    start_time: "1790000301",
    end_time: timestamp,
    duration: 59,
  });
  const failed = await callOf({ event: "terminate", status: "FAILED" });
  expect(failed).toMatchObject({ status: "FAILED" });
  expect(failed).not.toHaveProperty("duration");
  expect(await callOf({ event: "ringing" })).not.toHaveProperty("session");
  for (const wrong of [
    { session: null },
    { session: "v=0" },
    { session: { sdp_type: "offer" } },
    { session: { sdp_type: "pranswer", sdp: "v=0" } },
    { event: "terminate", status: null },
    { event: "terminate", status: "DONE" },
    { event: "terminate", duration: "59" },
    { event: "terminate", duration: -1 },
  ])
    expect([wrong, await callOf(wrong)]).toEqual([wrong, 400]);
});

test("what became of a call of the business is a status, of the person as it may be named", async () => {
  const statusOfCall = async (more: object) => {
    expect((await post("calls", { person: ANA, id: "wacid.2", ...more })).status).toBe(201);
    return lastChange()!;
  };
  for (const status of ["RINGING", "ACCEPTED", "REJECTED"])
    expect(await statusOfCall({ status, biz_opaque_callback_data: "o" })).toMatchObject({
      field: "calls",
      value: {
        contacts: [{ wa_id: WA_ID }],
        statuses: [{ id: "wacid.2", type: "call", status, recipient_id: WA_ID, biz_opaque_callback_data: "o" }],
      },
    });
  pair.simulator.setPerson({ person: ANA, number_hidden: true });
  const [hidden] = (await statusOfCall({ status: "RINGING" })).value["statuses"];
  expect(hidden).toMatchObject({ recipient_user_id: expect.any(String) });
  expect(hidden).not.toHaveProperty("recipient_id");
  pair.simulator.setPerson({ person: ANA, number_hidden: false });
  pair.simulator.setSettings({ statusContacts: false });
  const { value } = await statusOfCall({ status: "ACCEPTED" });
  expect(value["statuses"][0]).not.toHaveProperty("recipient_user_id");
  expect(value).not.toHaveProperty("contacts");
});

describe("payments", () => {
  test("are statuses of their own, which the message is not moved by", async () => {
    pair.simulator.setDelays({ statuses: false });
    const { id } = (await pair.send(template(ANA))).body.messages[0];
    for (const status of ["pending", "failed", "captured"])
      expect((await pair.call("POST", "/sim/payments", { id, status, note: 1 })).body).toMatchObject({
        reported: true,
      });
    await pair.simulator.idle();
    expect(pair.receiver.statuses().map(({ type, status }) => [type, status])).toEqual([
      ["payment", "pending"],
      ["payment", "failed"],
      ["payment", "captured"],
    ]);
    expect(pair.receiver.statuses()[0]).toMatchObject({ id, recipient_id: WA_ID, note: 1 });
    for (const part of ["pricing", "errors"]) expect(pair.receiver.statuses()[1]).not.toHaveProperty(part);
    expect(pair.simulator.sent().data[0]?.status).toBeNull();
  });

  test("have the reference of the order that asked for them, and what is given above it", async () => {
    pair.simulator.setDelays({ statuses: false });
    pair.simulator.setWindow({ phone_number_id: "1055", person: ANA, open: true });
    const parameters = { reference_id: "o1", total_amount: { value: 500, offset: 100 }, currency: "SGD" };
    const action = { name: "review_and_pay", parameters };
    const order = { type: "order_details", body: { text: "Pay" }, action };
    const { id } = (await pair.send({ to: ANA, type: "interactive", interactive: order })).body.messages[0];
    pair.simulator.payment({ id, status: "captured", payment: { method: "card" } });
    await pair.simulator.idle();
    const payment = { reference_id: "o1", amount: parameters.total_amount, currency: "SGD", method: "card" };
    expect(pair.receiver.statuses()).toMatchObject([{ payment }]);
  });

  test("of another system's message need its number and person; what is none is refused", async () => {
    const theirs = { id: "wamid.THEIRS", status: "captured" };
    expect((await pair.call("POST", "/sim/payments", theirs)).status).toBe(400);
    expect((await post("payments", { ...theirs, person: ANA })).status).toBe(201);
    expect(pair.receiver.statuses()).toMatchObject([{ ...theirs, type: "payment", recipient_id: WA_ID }]);
    for (const wrong of [{ id: "wamid.X" }, { status: "captured" }, { ...theirs, payment: "order-17" }])
      expect((await post("payments", { person: ANA, ...wrong })).status).toBe(400);
  });
});

test("a number's WhatsApp account is named in all that is about the number, until it is taken back", async () => {
  const waac = async (waac_id: unknown) => (await pair.call("PUT", "/sim/numbers/1055", { waac_id })).status;
  expect([await waac("12a"), await waac(12), await waac("880001")]).toEqual([400, 400, 200]);
  pair.simulator.setDelays({ deliveredMs: null, readMs: null });
  await pair.send(template(ANA));
  for (const [path, more] of [
    ["inbound", { from: ANA, text: "Hi" }],
    ["calls", { person: ANA }],
    ["echoes", { to: ANA, text: "Hi" }],
    ["threads", { person: ANA, action: "write", text: "Hi" }],
    ["errors", {}],
    ["user-actions", {}],
  ] as const)
    expect((await post(path, more)).status).toBe(201);
  await pair.call("POST", "/sim/account-events", { waba_id: "9001", field: "group_status_update" });
  await pair.simulator.idle();
  const named = () => pair.receiver.changes().map(({ value }) => value["metadata"].waac_id);
  expect(named()).toEqual(Array.from({ length: 8 }, () => "880001"));
  await waac(null);
  await post("errors", {});
  expect(lastChange()?.value["metadata"]).not.toHaveProperty("waac_id");
});

test("languages of templates are tags, or as in the API", async () => {
  const languages = ["tag", "code"] as const;
  for (const templateLanguages of languages) {
    pair.simulator.setSettings({ templateLanguages });
    pair.simulator.changeQuality("1689556908129832", { score: "GREEN" });
    await pair.simulator.idle();
  }
  expect(pair.receiver.changes().map(({ value }) => value["message_template_language"])).toEqual(["en-US", "en_US"]);
});

test("errors of a number alone", async () => {
  await post("errors", { code: 131056 });
  const { value } = lastChange()!;
  expect(Object.keys(value)).toEqual(["messaging_product", "metadata", "errors"]);
  expect(value["errors"]).toMatchObject([{ code: 131056, title: expect.any(String) }]);
});
