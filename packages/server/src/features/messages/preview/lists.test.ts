import { beforeAll, expect, it } from "vitest";
import type { Sql } from "../../../db/database.ts";
import { pageOf } from "../message.ts";
import { takeTemplates } from "../testing/golden-templates.ts";
import { EVERYTHING } from "../testing/message-filter.ts";
import { person, startSenders } from "../testing/senders.ts";
import { DOTS } from "./template-text.ts";

const senders = await startSenders();
const { gateway, mine, theirs } = senders;

const utility = { language: "en_US", category: "UTILITY", status: "APPROVED" } as const;

beforeAll(() =>
  takeTemplates(senders, [
    { ...utility, name: "shipped", components: [{ type: "BODY", text: "Order {{1}} has left." }] },
    {
      ...utility,
      name: "sign_in",
      category: "AUTHENTICATION",
      components: [
        { type: "BODY", text: "{{1}} is your code." },
        {
          type: "BUTTONS",
          buttons: [{ type: "URL", text: "Copy", url: "https://www.whatsapp.com/otp/code/?code={{1}}" }],
        },
      ],
    },
  ]),
);

const text = (value: string) => ({ type: "text", text: value });
const shipped = (order: string) => ({
  name: "shipped",
  language: { code: "en_US" },
  components: [{ type: "body", parameters: [text(order)] }],
});
const send = async (to: string, body: object) => {
  const reply = await mine.call("POST", "/v1/messages", { body: { to, ...body } });
  expect([reply.body, reply.status]).toEqual([expect.anything(), 202]);
  return reply;
};
const listed = async (query: string, of = mine): Promise<{ id: string; preview: string | null }[]> =>
  (await of.call("GET", `/v1/messages?${query}`)).body.data;

it("shows in every list what the person sees, and only there", async () => {
  const to = person();
  const heard = await mine.inbound(to, "When\ndoes it come?");
  const template = await send(to, { type: "template", template: shipped("17") });
  const code = "829104";
  const button = { type: "button", sub_type: "url", index: "0", parameters: [text(code)] };
  const components = [{ type: "body", parameters: [text(code)] }, button];
  const signIn = await send(to, {
    type: "template",
    template: { name: "sign_in", language: { code: "en_US" }, components },
  });
  const { contact_id, id } = signIn.body;
  expect([template.body, signIn.body].some((body) => "preview" in body)).toBe(false);
  const previews = [`${DOTS} is your code.`, "Order 17 has left.", "When does it come?"];
  const rows = await listed(`contact_id=${contact_id}`);
  expect(rows.map(({ preview }) => preview)).toEqual(previews);
  const ofPerson = await mine.call("GET", `/v1/conversations/${contact_id}/messages`);
  expect(ofPerson.body.data.map(({ preview }: { preview: string }) => preview)).toEqual(previews);
  const conversations = await mine.call("GET", `/v1/conversations?contact_id=${contact_id}`);
  expect(conversations.body.data[0].last_message.preview).toBe(previews[0]);
  for (const one of [id, heard.id])
    expect((await mine.call("GET", `/v1/messages/${one}`)).body).not.toHaveProperty("preview");
  const { preview: _preview, ...row } = rows[2]!;
  expect((await mine.call("POST", `/v1/messages/${heard.id}/read`)).body).toEqual(row);
});

it("shows the fallback once that was sent, and the template as it is by now", async () => {
  const [to, other] = [person(), person()];
  const body = { type: "text", text: { body: "On our way" }, fallback: { template: shipped("18") } };
  await mine.inbound(other);
  const [closed, open] = [(await send(to, body)).body, (await send(other, body)).body];
  for (const { id } of [closed, open]) await mine.becomes(id, "accepted");
  const previewsOf = async (contact: string) =>
    (await listed(`contact_id=${contact}&direction=outbound`)).map(({ preview }) => preview);
  expect(await previewsOf(closed.contact_id)).toEqual(["Order 18 has left."]);
  expect(await previewsOf(open.contact_id)).toEqual(["On our way"]);
});

it("shows nothing of a person who was erased, and nothing of another workspace's template of the same name", async () => {
  const to = person();
  const { contact_id } = (await send(to, { type: "template", template: shipped("19") })).body;
  const own = await theirs.send(to);
  await mine.call("DELETE", `/v1/contacts/${contact_id}`);
  expect(await listed(`contact_id=${contact_id}`)).toEqual([]);
  const rows = (await listed("type=template&limit=100")).filter(
    (row) => "contact_id" in row && row.contact_id === contact_id,
  );
  expect(rows.map(({ preview }) => preview)).toEqual([null]);
  expect((await listed("limit=1", theirs)).map(({ id, preview }) => [id, preview])).toEqual([
    [own.body.id, "Your order is ready."],
  ]);
});

it("asks for the templates of a page once", async () => {
  const to = person();
  for (const order of ["1", "2", "3"]) await send(to, { type: "template", template: shipped(order) });
  const asked: string[] = [];
  const page = await gateway.app.db.read(mine.uuid, (sql) => {
    const counted: Sql = {
      query: (text, values) => {
        asked.push(text);
        return sql.query(text, values);
      },
      run: (text) => sql.run(text),
    };
    const of = { sql: counted, workspaceId: mine.uuid, now: gateway.clock.now() };
    return pageOf(of, EVERYTHING, { limit: 3, before: null, fetch: 4 });
  });
  expect(page.data).toHaveLength(3);
  expect(asked).toHaveLength(2);
});
