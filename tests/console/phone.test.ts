import { beforeAll, expect, test } from "vitest";
import { mine, setScene, stage, visitor } from "./scene.ts";

// The virtual phone in a real browser: what the gateway sends is on it, and what is done on it reaches the gateway.

const PERSON = "+15551230001";
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);

setScene({ isSimulator: true });
beforeAll(async () => {
  stage.gateway.simulator.setDelays({ statuses: true, sentMs: 0, deliveredMs: null, readMs: null });
  stage.gateway.simulator.setPerson({ person: PERSON, name: "Ann" });
});

const shop = () => stage.gateway.simulator.accounts().find(({ waba_id }) => waba_id === mine.account.wabaId)!;
const openPhone = async (person: string): Promise<void> => {
  await visitor.go(`/sim#${person.slice(1)}/${mine.account.providerPhoneNumberId}`);
  await visitor.page.getByRole("status").getByText("Live").waitFor();
};
const thread = () => visitor.page.getByRole("log", { name: "Messages" });
/** The newest message that this person sent, once the gateway has it. */
const received = async (person: string, count = 1) => {
  const path = `/v1/messages?direction=inbound&from=${encodeURIComponent(person)}`;
  const read = async () => (await mine.call("GET", path)).body.data;
  await expect.poll(async () => (await read()).length).toBe(count);
  return (await read())[0];
};

test("the root of the simulator leads a browser to the phone, and a program to the Graph's error", async () => {
  await visitor.go("/");
  await expect.poll(() => new URL(visitor.page.url()).pathname).toBe("/sim");
  await visitor.page.getByRole("heading", { name: "Virtual phone" }).waitFor();
  expect(await (await fetch(stage.gateway.simulator.url)).json()).toMatchObject({ error: { code: 2500 } });
});

test("a message comes live, its tick turns, and what is answered is in the gateway", async () => {
  const { page } = visitor;
  await openPhone(PERSON);
  await page.getByRole("region", { name: "Phone of Ann" }).waitFor();
  await page.getByText(`with ${shop().phone_numbers[0]!.verified_name}`).waitFor();
  const { body } = await mine.send(PERSON);
  const message = thread().getByRole("listitem").filter({ hasText: "Your order is ready." });
  await message.getByText("Sent", { exact: false }).waitFor();
  const { provider_message_id: id } = await mine.becomes(body.id, "sent");
  stage.gateway.simulator.status({ id, status: "read" });
  await message.getByText("✓✓ Read").waitFor();

  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Thank you");
  await page.keyboard.press("Enter");
  const own = thread().getByRole("listitem").filter({ hasText: "Thank you" });
  await own.getByText("✓ Sent").waitFor();
  const answer = await received(PERSON);
  expect(answer.text).toEqual({ body: "Thank you" });
  await page.getByText("It may write freely until").waitFor();
  await mine.call("POST", `/v1/messages/${answer.id}/read`);
  await own.getByText("✓✓ Read").waitFor();
});

test("buttons of a template, rows of a list, replies and reactions are answers", async () => {
  const { page } = visitor;
  const person = "+15551230002";
  const phone = mine.account.providerPhoneNumberId;
  stage.gateway.simulator.addTemplate({
    waba_id: mine.account.wabaId,
    name: "offer",
    language: "en_US",
    category: "MARKETING",
    components: [
      { type: "BODY", text: "An offer" },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Show me" }] },
    ],
  });
  stage.gateway.simulator.setWindow({ phone_number_id: phone, person, open: true });
  const send = async (message: object): Promise<string> => {
    const reply = await fetch(`${stage.gateway.simulator.url}/v26.0/${phone}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${mine.account.token}`, "content-type": "application/json" },
      body: JSON.stringify({ messaging_product: "whatsapp", to: person, ...message }),
    });
    return ((await reply.json()) as { messages: [{ id: string }] }).messages[0].id;
  };
  await send({ type: "template", template: { name: "offer", language: { code: "en_US" } } });
  await openPhone(person);
  await page.getByRole("button", { name: "Show me" }).click();
  expect((await received(person)).button).toEqual({ payload: "Show me", text: "Show me" });

  const sections = [{ title: "Today", rows: [{ id: "noon", title: "Noon" }] }];
  const asks = await send({
    type: "interactive",
    interactive: { type: "list", body: { text: "When?" }, action: { button: "Choose", sections } },
  });
  await page.getByRole("button", { name: "Choose" }).click();
  await page.getByRole("dialog").getByLabel("Noon").check();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  expect((await received(person, 2)).interactive.list_reply).toMatchObject({ id: "noon", title: "Noon" });

  const asked = thread().getByRole("listitem").filter({ hasText: "When?" });
  await asked.getByRole("button", { name: "React" }).click();
  await asked.getByRole("button", { name: "👍" }).click();
  expect((await received(person, 3)).reaction.emoji).toBe("👍");
  await asked.getByRole("button", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("At noon");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  expect((await received(person, 4)).context).toMatchObject({ id: asks });
});

test("a person writes first, sends a picture, sees one, and stops marketing", async () => {
  const { page } = visitor;
  const person = "+15551230003";
  const phone = mine.account.providerPhoneNumberId;
  await visitor.go("/sim");
  await page.getByLabel("Another number").fill("+1 555 123 0003");
  await page.getByRole("button", { name: "Open" }).click();
  const shops = page.getByRole("combobox", { name: "Business" });
  if (await shops.isVisible()) await shops.selectOption(phone);
  await page.getByLabel("File to send").setInputFiles({ name: "box.png", mimeType: "image/png", buffer: PICTURE });
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("The box");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const picture = thread().getByRole("img", { name: "Image" });
  await picture.first().waitFor();
  expect((await received(person)).image.caption).toBe("The box");

  const form = new FormData();
  form.set("file", new Blob([PICTURE], { type: "image/png" }), "ours.png");
  const headers = { authorization: `Bearer ${mine.key}` };
  const uploaded = await fetch(`${stage.gateway.url}/v1/media`, { method: "POST", headers, body: form });
  const media = (await uploaded.json()) as { id: string };
  const sent = await mine.call("POST", "/v1/messages", {
    body: { to: person, type: "image", image: { id: media.id } },
  });
  expect(sent.status).toBe(202);
  await expect.poll(() => picture.count()).toBe(2);
  await expect.poll(() => page.evaluate("[...document.images].at(-1).naturalWidth")).toBe(1);

  await page.getByRole("button", { name: "Stop marketing" }).click();
  await page.getByRole("button", { name: "Resume marketing" }).waitFor();
});

test("numbers that behave in one way are listed with what they do", async () => {
  const { page } = visitor;
  await visitor.go("/sim");
  await page.getByText("Numbers that behave in one way").click();
  await page.getByText("not on WhatsApp 131026").waitFor();
  await page.getByRole("link", { name: "+12025550101" }).click();
  expect(new URL(page.url()).hash).toBe("#12025550101");
  // The keyboard goes on in the phone.
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("+1 202 555 0101");
});

test("markup in texts, names and files stays text, and no page of another site frames it", async () => {
  const { page } = visitor;
  const markup = `<img src=x onerror="globalThis.ran=1">`;
  const person = "+15551230004";
  const { simulator } = stage.gateway;
  simulator.setPerson({ person, name: markup });
  simulator.inbound({ phone_number_id: mine.account.providerPhoneNumberId, from: person, text: markup });
  const file = await simulator.addFile(
    { phone_number_id: mine.account.providerPhoneNumberId, mime_type: "text/html" },
    Buffer.from("<script>globalThis.ran=1</script>"),
  );
  const html = await fetch(`${simulator.url}/sim/files/${file.id}/content`);
  expect([html.headers.get("content-type"), html.headers.get("content-disposition")]).toEqual([
    "application/octet-stream",
    "attachment",
  ]);
  await openPhone(person);
  await page.getByRole("heading", { name: markup }).waitFor();
  await thread().getByText(markup).waitFor();
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  await page.goto("about:blank");
  await page.setContent(`<iframe src="${simulator.url}/sim"></iframe>`);
  await expect.poll(() => visitor.faults.some((fault) => /frame-ancestors/.test(fault))).toBe(true);
  visitor.expects(/frame-ancestors/);
});
