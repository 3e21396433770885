import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TxCtx } from "../../ctx.ts";
import { HOUR_MS } from "../../lib/duration.ts";
import { parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { ORDER_READY } from "../../testing/gateway.ts";
import { redactSome } from "../messages/redaction.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import type { Task } from "../tasks/lane.ts";
import { Pace } from "../tasks/pace.ts";
import { type Receiver, startReceiver } from "../webhooks/testing/receiver.ts";
import { deleteContact, eraseRest } from "./erase.ts";

const { gateway, mine, theirs, sentTo } = await startSenders({ API_RATE_LIMIT: "off" });
const { erasure } = gateway.features.services;
const pace = new Pace(gateway.app);
const PATIENCE = { timeout: 30_000, interval: 20 };

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const create = async (body: object) => (await mine.call("POST", "/v1/contacts", { body })).body;
const erase = (id: string, headers = {}, of = mine) => of.call("DELETE", `/v1/contacts/${id}`, { headers });
const get = (path: string) => mine.call("GET", path);
const uuid = (id: string): string => parseId("con", id) ?? parseId("msg", id) ?? "";
const eventsOf = async (id: string) =>
  (await mine.rows<{ kind: string }>("select kind from event where contact_id = $1 order by sequence", [uuid(id)])).map(
    ({ kind }) => kind,
  );
/** Tasks that go on a while after an erasure. */
const pending = () => mine.rows("select from job where kind = 'contacts.erase' and status = 'pending'");
const lateDone = async (): Promise<void> => {
  gateway.clock.advance(61_000);
  await expect.poll(pending, PATIENCE).toEqual([]);
};

/** Tables in which a text is still found, all columns as text. */
async function placesOf(text: string): Promise<string[]> {
  const tables = await mine.rows<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relkind in ('r', 'p') and not c.relispartition and has_table_privilege(c.oid, 'select') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables)
    if ((await mine.rows(`select from ${name} t where t::text like $1 limit 1`, [`%${text}%`])).length > 0)
      found.push(name);
  return found;
}

describe("a contact that is erased", () => {
  it("is gone, and its messages are stubs, for every reader", async () => {
    const to = person();
    const heard = await mine.inbound(to, "Private words");
    const id = heard.contact_id;
    await mine.call("PATCH", `/v1/contacts/${id}`, { body: { name: "Ana Privada", email: "ana@private.example" } });
    const text = { to, type: "text", text: { body: "Private answer" }, reference: "ref-private" };
    const key = { "X-Idempotency-Key": "private-1" };
    const sent = (await mine.call("POST", "/v1/messages", { body: text, headers: key })).body;
    await mine.becomes(sent.id, "accepted");
    const before = (await get(`/v1/messages/${sent.id}`)).body;
    expect(await placesOf("Private")).toEqual(["message"]);
    expect(await placesOf("Ana Privada")).toEqual(["contact"]);

    expect((await erase(id, {}, theirs)).status).toBe(404);
    expect(await erase(id)).toMatchObject({ status: 204, text: "" });
    expect((await get(`/v1/contacts/${id}`)).status).toBe(404);
    expect((await erase(id)).status).toBe(404);
    expect((await get(`/v1/contacts?phone=${encodeURIComponent(to)}`)).body.data).toEqual([]);
    expect((await get(`/v1/conversations/${id}/messages`)).status).toBe(404);
    const stub = { to: null, text: null, reference: null, provider_message_id: null };
    expect((await get(`/v1/messages/${sent.id}`)).body).toEqual({ ...before, ...stub });
    expect((await get(`/v1/messages/${heard.id}`)).body).toMatchObject({ from: null, text: null, contact_id: id });
    const listed = await get("/v1/messages?limit=100");
    expect(listed.text).toContain(sent.id);
    const conversations = await get("/v1/conversations?limit=100");
    for (const { text: answer } of [listed, conversations]) expect(answer).not.toMatch(/Private|ref-private/);
    expect(conversations.text).not.toContain(id);
    for (const filter of [`to=${encodeURIComponent(to)}`, `from=${encodeURIComponent(to)}`, "reference=ref-private"])
      expect((await get(`/v1/messages?${filter}`)).body.data).toEqual([]);
    // The stub is what a repetition gets: the message is not sent again.
    const replay = await mine.call("POST", "/v1/messages", { body: text, headers: key });
    expect(replay).toMatchObject({ status: 202, body: { id: sent.id, to: null, text: null } });
    expect(sentTo(to)).toHaveLength(1);

    expect((await eventsOf(id)).at(-1)).toBe("contact_deleted");
    const audits = await mine.rows(
      "select resource_id, status from audit where action = 'contact.delete' and status = 204",
    );
    expect(audits).toEqual([{ resource_id: id, status: 204 }]);
    // Rows, not only answers.
    for (const private_text of ["Private", "ref-private", "ana@private", "Ana Privada", to.slice(1)])
      expect([private_text, await placesOf(private_text)]).toEqual([private_text, []]);
  });

  it("is not named by what the provider wrote of a failure", async () => {
    const to = person();
    const sent = await mine.becomes((await mine.send(to)).body.id, "accepted");
    const failed = { code: 131026, title: "Undeliverable", error_data: { details: `${to.slice(1)} is not there` } };
    const report = statusOf(sentTo(to)[0]?.id ?? "", "failed", gateway.clock.now(), { errors: [failed] });
    await postCallback(gateway, callbackOf(mine.account, report));
    expect((await get(`/v1/messages/${sent.id}`)).text).toContain(`${to.slice(1)} is not there`);
    expect((await erase(sent.contact_id)).status).toBe(204);
    const { error, history } = (await get(`/v1/messages/${sent.id}`)).body;
    expect(error).toMatchObject({ code: "recipient_unreachable", detail: "provider code 131026" });
    expect(history.at(-1)).toMatchObject({ status: "failed", error: { code: "recipient_unreachable" } });
    const paths = [`/v1/messages/${sent.id}`, "/v1/messages?limit=100", "/v1/audit/messages?limit=100"];
    for (const path of paths) {
      const answer = await get(path);
      expect([path, answer.text.includes(sent.id)]).toEqual([path, true]);
      expect(answer.text).not.toContain("is not there");
    }
    const rows = await mine.call("GET", "/v1/audit/messages", { headers: { accept: "text/csv" } });
    expect(rows.text).not.toContain("is not there");
  });

  it("is a new one when the person writes again, and statuses of its messages still count", async () => {
    const to = person();
    const sent = await mine.becomes((await mine.send(to)).body.id, "accepted");
    const wamid = sentTo(to)[0]?.id ?? "";
    expect((await erase(sent.contact_id)).status).toBe(204);
    await postCallback(gateway, callbackOf(mine.account, statusOf(wamid, "delivered", gateway.clock.now())));
    expect((await get(`/v1/messages/${sent.id}`)).body).toMatchObject({
      status: "delivered",
      to: null,
      template: null,
    });
    const again = await mine.inbound(to, "Hello again");
    expect(again.contact_id).not.toBe(sent.contact_id);
    const contact = (await get(`/v1/contacts/${again.contact_id}`)).body;
    expect(contact).toMatchObject({ phone: to, name: null, tags: [], windows: [{ open: true }] });
    const messages = await get(`/v1/conversations/${again.contact_id}/messages`);
    expect(messages.body.data.map(({ id }: { id: string }) => id)).toEqual([again.id]);
    await lateDone();
    expect((await get(`/v1/contacts/${again.contact_id}`)).body.phone).toBe(to);
    expect((await get(`/v1/messages/${again.id}`)).body.text).toEqual({ body: "Hello again" });
  });

  it("has still opted out of marketing when it comes back, however it comes", async () => {
    const [writes, isSent, isCreated, allows] = [person(), person(), "+5521987659876", person()];
    for (const phone of [writes, isSent, isCreated, allows]) {
      const { id } = await create({ phone, marketing_consent: "opted_out" });
      if (phone === allows) await mine.call("PATCH", `/v1/contacts/${id}`, { body: { marketing_consent: "opted_in" } });
      expect((await erase(id)).status).toBe(204);
    }
    const digests = await mine.rows("select digest::text from opt_out_of_erased");
    expect(digests.length).toBeGreaterThanOrEqual(3);
    const opted = { marketing_consent: "opted_out", consent_source: "client" };
    const heard = await mine.inbound(writes, "Hello");
    expect((await get(`/v1/contacts/${heard.contact_id}`)).body).toMatchObject(opted);
    // Another form of the number.
    expect(await create({ phone: "+552187659876" })).toMatchObject(opted);
    const sent = (await mine.send(isSent)).body;
    expect((await get(`/v1/contacts/${sent.contact_id}`)).body).toMatchObject(opted);
    expect(await create({ phone: allows })).toMatchObject({ marketing_consent: "unknown" });
    // What a person says themselves counts again.
    await mine.inbound(writes, "START");
    await expect
      .poll(async () => (await get(`/v1/contacts/${heard.contact_id}`)).body.marketing_consent, PATIENCE)
      .toBe("opted_in");
    const elsewhere = await theirs.call("POST", "/v1/contacts", { body: { phone: writes } });
    expect(elsewhere.body.marketing_consent).toBe("unknown");
  });

  it("is sent nothing that waits: scheduled, held back, or tried again later", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 131056, recipient: to });
    const tried = (await mine.send(to)).body;
    await expect.poll(() => sentTo(to).length, PATIENCE).toBe(1);
    const behind = (await mine.send(to)).body;
    const later = (await mine.send(to, { send_at: new Date(gateway.clock.now() + HOUR_MS).toISOString() })).body;
    expect((await erase(later.contact_id)).status).toBe(204);
    for (const { id } of [tried, behind, later])
      expect((await get(`/v1/messages/${id}`)).body).toMatchObject({ status: "canceled", final: true, to: null });
    gateway.clock.advance(2 * HOUR_MS);
    await mine.becomes((await mine.send(person())).body.id, "accepted");
    expect(sentTo(to)).toHaveLength(1);
    expect((await eventsOf(later.contact_id)).filter((kind) => kind === "canceled")).toHaveLength(3);
  });

  it("takes the records with it that were merged into it, whichever id is named", async () => {
    const [one, two] = [
      await create({ phone: person(), name: "First" }),
      await create({ phone: person(), name: "Second" }),
    ];
    const sent = (await mine.send(one.phone)).body;
    await mine.call("POST", `/v1/contacts/${two.id}/merge`, { body: { contact_id: one.id } });
    expect((await erase(one.id)).status).toBe(204);
    for (const { id } of [one, two]) expect((await get(`/v1/contacts/${id}`)).status).toBe(404);
    expect((await get(`/v1/messages/${sent.id}`)).body).toMatchObject({ to: null, template: null });
    for (const { phone } of [one, two])
      expect((await get(`/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data).toEqual([]);
    expect(await placesOf("First")).toEqual([]);
    expect((await create({ phone: one.phone })).id).not.toBe(one.id);
    const tombstones = await mine.rows("select person from erased_contact where id = any($1::uuid[])", [
      [uuid(one.id), uuid(two.id)],
    ]);
    expect(tombstones).toEqual([{ person: uuid(two.id) }, { person: uuid(two.id) }]);
  });

  it("is no longer in kept answers of idempotency keys", async () => {
    const to = person();
    const post = (path: string, body: object, key: string) =>
      mine.call("POST", path, { body, headers: { "X-Idempotency-Key": key } });
    const first = await post("/v1/contacts", { phone: to, name: "Kept" }, "kept-1");
    await post("/v1/contacts/batch", { contacts: [{ phone: to }, { phone: person() }] }, "kept-2");
    const scheduled = (await mine.send(to, { send_at: new Date(gateway.clock.now() + HOUR_MS).toISOString() })).body;
    await post(`/v1/messages/${scheduled.id}/cancel`, {}, "kept-3");
    expect((await erase(first.body.id)).status).toBe(204);
    const again = await post("/v1/contacts", { phone: to, name: "Kept" }, "kept-1");
    expect(again).toMatchObject({ status: 409, body: { code: "idempotency_key_expired" } });
    const batch = await post("/v1/contacts/batch", { contacts: [{ phone: to }, { phone: person() }] }, "kept-2");
    expect(batch.body.code).toMatch(/^idempotency_key/);
    const left = await mine.rows("select from idempotency_key where answer is not null");
    expect(left).toEqual([]);
  });

  it("must have the version that the caller knows", async () => {
    const made = await mine.call("POST", "/v1/contacts", { body: { phone: person() } });
    await mine.call("PATCH", `/v1/contacts/${made.body.id}`, { body: { name: "Newer" } });
    const headers = { "If-Match": made.headers["etag"] ?? "" };
    expect(await erase(made.body.id, headers)).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect((await get(`/v1/contacts/${made.body.id}`)).body.name).toBe("Newer");
  });
});

describe("deliveries that wait", () => {
  it("have nothing of the person, in a retry either, and the last event has the id alone", async () => {
    receiver.answer((response) => void response.writeHead(500).end());
    const hook = await mine.call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["*"] } });
    const to = person();
    const heard = await mine.inbound(to, "Secret words");
    const kinds = () => receiver.received.filter(({ text }) => text.includes(heard.contact_id));
    await expect.poll(() => kinds().length, PATIENCE).toBe(2); // contact_created and messages
    expect(kinds().some(({ text }) => text.includes("Secret words"))).toBe(true);
    expect((await erase(heard.contact_id)).status).toBe(204);
    receiver.received.length = 0;
    receiver.answer((response) => void response.end());
    gateway.clock.advance(30_000);
    await expect.poll(() => kinds().length, PATIENCE).toBe(3);
    for (const { text } of kinds()) {
      expect(text).not.toContain("Secret");
      expect(text).not.toContain(to.slice(1));
    }
    const last = kinds().find(({ body }) => body.kind === "contact_deleted");
    expect(last?.body.data).toEqual({ contact: { id: heard.contact_id, deleted: true }, source: "client" });
    const message = kinds().find(({ body }) => body.kind === "messages");
    expect(message?.body.data).toMatchObject({ contact: null, message: { id: heard.id, from: null, text: null } });
    await mine.call("DELETE", `/v1/webhook-endpoints/${hook.body.id}`);
  });
});

describe("a process that is killed", () => {
  const scheduledTo = async (to: string, count: number) => {
    const send_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
    const one = { to, type: "template", template: ORDER_READY, send_at, reference: `ref-${to.slice(1)}` };
    const reply = await mine.call("POST", "/v1/messages/batch", { body: { messages: Array(count).fill(one) } });
    expect(reply.status).toBe(202);
    return reply.body.data.map(({ message }: { message: { id: string; contact_id: string } }) => message);
  };
  /** The erasure as far as its transaction goes: what follows the commit is for others to do. */
  const transact = (id: string, then: () => void = () => undefined) =>
    gateway.app.db.transaction(mine.uuid, async (sql) => {
      // Of the context of a request it needs no more.
      const ctx = { sql, workspaceId: mine.uuid, now: gateway.clock.now() } as TxCtx;
      const answer = await deleteContact(ctx, { params: { id } }, erasure);
      then();
      return answer;
    });
  const rowsOf = (contact: string) =>
    mine.rows<{ left: number; waiting: number }>(
      `select count(*) filter (where m.content::text <> 'null' or m.recipient is not null)::int as left,
         count(*) filter (where s.rank = 0)::int as waiting
       from message m join message_state s on s.id = m.id where m.contact_id = $1 and m.sequence > 0`,
      [uuid(contact)],
    );

  it("before the commit has erased nothing", async () => {
    const [message] = await scheduledTo(person(), 1);
    const dies = () => {
      throw new Error("killed");
    };
    await expect(transact(message.contact_id, dies)).rejects.toThrow("killed");
    expect((await get(`/v1/contacts/${message.contact_id}`)).status).toBe(200);
    expect((await get(`/v1/messages/${message.id}`)).body).toMatchObject({
      status: "scheduled",
      template: ORDER_READY,
    });
  });

  it("after it has erased everything for readers, and another empties and cancels 1,200 messages", async () => {
    const to = person();
    const messages = [...(await scheduledTo(to, 1_000)), ...(await scheduledTo(to, 200))];
    const { id, contact_id } = messages[0];
    await transact(contact_id);
    expect((await get(`/v1/messages/${id}`)).body).toMatchObject({ to: null, template: null, reference: null });
    expect((await get(`/v1/messages?reference=ref-${to.slice(1)}&limit=100`)).body.data).toEqual([]);
    expect((await get(`/v1/messages?to=${encodeURIComponent(to)}`)).body.data).toEqual([]);
    await expect.poll(() => rowsOf(contact_id), { timeout: 30_000, interval: 50 }).toEqual([{ left: 0, waiting: 0 }]);
    expect((await eventsOf(contact_id)).filter((kind) => kind === "canceled")).toHaveLength(1_200);
    gateway.clock.advance(2 * HOUR_MS);
    expect(sentTo(to)).toEqual([]);
  });

  it("between two pieces leaves the rest to the next, which goes on below them", async () => {
    const messages = await scheduledTo(person(), 700);
    const { contact_id } = messages[0];
    const person_id = uuid(contact_id);
    const { app } = gateway;
    await app.db.call(erasure.contacts, [{ workspace_id: mine.uuid, contact_id: person_id }], gateway.clock.now());
    const piece = { contactId: person_id, place: null, since: null };
    expect(await redactSome(app, mine.uuid, piece)).toEqual({ more: true, place: uuid(messages[200].id) });
    expect(await rowsOf(contact_id)).toEqual([{ left: 200, waiting: 200 }]);
    // The same piece twice changes nothing more.
    await redactSome(app, mine.uuid, piece);
    const { signal } = new AbortController();
    const task = { workspaceId: mine.uuid, payload: { contact_id: person_id }, signal } as Task;
    const outcome = await eraseRest(app, task, { erasure, pace });
    expect(outcome).toMatchObject({ kind: "wait" });
    expect(await rowsOf(contact_id)).toEqual([{ left: 0, waiting: 0 }]);
    gateway.clock.advance(61_000);
    expect(await eraseRest(app, task, { erasure, pace })).toEqual({ kind: "done" });
    const [left] = await mine.rows("select redacted_at is not null as done from erased_contact where id = $1", [
      person_id,
    ]);
    expect(left).toEqual({ done: true });
    expect((await eventsOf(contact_id)).filter((kind) => kind === "canceled")).toHaveLength(700);
  });

  it("before anything was canceled sends nothing: each message ends when it is due", async () => {
    const to = person();
    const [message] = await scheduledTo(to, 1);
    const row = { workspace_id: mine.uuid, contact_id: uuid(message.contact_id) };
    await gateway.app.db.call(erasure.contacts, [row], gateway.clock.now());
    gateway.clock.advance(HOUR_MS + 1_000);
    expect(await mine.becomes(message.id, "canceled")).toMatchObject({ to: null, error: null, final: true });
    expect(sentTo(to)).toEqual([]);
    expect(await eventsOf(message.contact_id)).toContain("canceled");
  });
});

describe("an erasure at the same moment", () => {
  it("as another is one", async () => {
    const { id } = await create({ phone: person() });
    const answers = await Promise.all([erase(id), erase(id), erase(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
    expect((await eventsOf(id)).filter((kind) => kind === "contact_deleted")).toHaveLength(1);
  });

  it("as a merge takes both or one, and leaves nothing half", async () => {
    for (let round = 0; round < 8; round++) {
      const [one, two] = [await create({ phone: person() }), await create({ phone: person() })];
      const merge = mine.call("POST", `/v1/contacts/${two.id}/merge`, { body: { contact_id: one.id } });
      const [merged, erased] = await Promise.all([merge, erase(one.id)]);
      expect(erased.status).toBe(204);
      expect([200, 422]).toContain(merged.status);
      expect((await get(`/v1/contacts/${one.id}`)).status).toBe(404);
      const other = await get(`/v1/contacts/${two.id}`);
      // Merged first, both are the person who was erased.
      expect(other.status).toBe(merged.status === 200 ? 404 : 200);
      expect(await mine.rows("select from identifier where contact_id = $1", [uuid(one.id)])).toEqual([]);
    }
  });

  it("as messages are accepted, and as the person writes, loses no names and returns nothing of the old one", async () => {
    for (let round = 0; round < 8; round++) {
      const to = person();
      const first = await mine.inbound(to, `Old ${round}`);
      const text = { to, type: "text", text: { body: `Old ${round}` } };
      const write = (n: number) =>
        postCallback(
          gateway,
          callbackOf(mine.account, textFrom(to.slice(1), `wamid.race.${to}.${n}`, "New", gateway.clock.now())),
        );
      const [sent, , erased] = await Promise.all([
        mine.call("POST", "/v1/messages", { body: text }),
        write(1),
        erase(first.contact_id),
        write(2),
      ]);
      expect(erased.status).toBe(204);
      await expect.poll(async () => (await mine.inbound(to, "Last")).contact_id, PATIENCE).not.toBe(first.contact_id);
      const shown = sent.status === 202 ? (await get(`/v1/messages/${sent.body.id}`)).body : null;
      const isOld = shown?.contact_id === first.contact_id;
      expect(isOld ? [shown.to, shown.text] : [null, null]).toEqual([null, null]);
      // Whoever the number names, it is a contact that there is.
      const named = await mine.rows(
        "select c.id from identifier i left join contact c on c.id = i.contact_id where i.value = $1",
        [to.slice(1)],
      );
      expect(named).toHaveLength(1);
      expect(named[0]).not.toEqual({ id: null });
    }
    await lateDone();
    // One that was accepted after the erasure is a new contact's.
    expect(
      await mine.rows(
        `select from message m where m.content::text like '%Old %'
           and not exists (select from contact c where c.workspace_id = m.workspace_id and c.id = m.contact_id)`,
      ),
    ).toEqual([]);
    expect(
      await mine.rows("select from conversation v where not exists (select from contact c where c.id = v.contact_id)"),
    ).toEqual([]);
  });
});
