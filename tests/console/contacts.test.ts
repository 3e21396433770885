import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";
import { LOST } from "./stage.ts";

// The people of a workspace, as a person finds, corrects, joins and erases them.

setScene();

const expectAt = async (path: string): Promise<void> => {
  await expect.poll(() => visitor.page.url()).toBe(stage.gateway.url + path);
};
const create = async (body: object): Promise<string> => (await mine.call("POST", "/v1/contacts", { body })).body.id;

test("a person is found by name, edited and tagged beside the list; what was not edited stays", async () => {
  const { page } = visitor;
  const next = await create({ phone: "+15552000006", name: "North Mill" });
  const id = await create({ phone: "+15552000001", name: "North Shop", attributes: { orders: 3, code: "007" } });
  await visitor.signIn(mine.key, "/contacts");
  const box = page
    .getByRole("search")
    .getByRole("searchbox")
    .or(page.getByRole("textbox", { name: "Name, number or id" }));
  await box.first().fill("north");
  await box.first().press("Enter");
  await page.getByRole("link", { name: "North Shop" }).click();
  await page.getByRole("heading", { level: 2, name: "North Shop" }).waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await expectAt(`/contacts/${id}?open=edit`);
  const sheet = page.getByRole("dialog", { name: "Edit" });
  await sheet.getByRole("textbox", { name: "Email" }).fill("not an address");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => sheet.getByRole("textbox", { name: "Email" }).getAttribute("aria-invalid")).toBe("true");
  await sheet.getByRole("textbox", { name: "Email" }).fill("shop@example.com");
  // What was entered stays while the window is narrower, where the list has no room beside it.
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.getByRole("table", { name: "Contacts" }).waitFor({ state: "hidden" });
  expect(await sheet.getByRole("textbox", { name: "Email" }).inputValue()).toBe("shop@example.com");
  await expectAt(`/contacts/${id}?open=edit`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await sheet.getByRole("combobox", { name: "Marketing" }).selectOption({ label: "Wants none" });
  await sheet.getByRole("button", { name: "Copy as curl" }).click();
  await sheet.getByRole("status").getByText("Copied").waitFor();
  const command = String(await page.evaluate("navigator.clipboard.readText()"));
  expect(command).toMatch(/\/v1\/contacts\/con_\w+' -X PATCH .* -H 'If-Match: "[^']+"' /);
  expect(command).toContain(`-d '{"email":"shop@example.com","marketing_consent":"opted_out"}'`);
  await sheet.getByRole("button", { name: "Save" }).click();
  await sheet.waitFor({ state: "hidden" });
  await page.getByText("as your program, or a person here, said").waitFor();
  await page.getByRole("textbox", { name: "New tag" }).fill("vip");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Remove the tag vip" }).waitFor();
  expect((await mine.call("GET", `/v1/contacts/${id}`)).body).toMatchObject({
    name: "North Shop",
    email: "shop@example.com",
    marketing_consent: "opted_out",
    attributes: { orders: 3, code: "007" },
    tags: ["vip"],
  });
  await page.getByRole("row").filter({ hasText: "North Shop" }).getByText("Wants none").waitFor();
  await page.getByRole("heading", { level: 2, name: "North Shop" }).focus();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 2, name: "North Mill" }).waitFor();
  await expectAt(`/contacts/${next}`);
  await page.getByRole("button", { name: "Row before" }).click();
  await expectAt(`/contacts/${id}`);
  await page.getByRole("button", { name: "Close" }).click();
  await expectAt("/contacts?q=north");
});

test("a person is entered once: faults stand at their fields, and a number that is known leads to its contact", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/contacts");
  await page.getByRole("link", { name: "New contact" }).click();
  const sheet = page.getByRole("dialog", { name: "New contact" });
  const phone = sheet.getByRole("textbox", { name: "Phone number" });
  const create = sheet.getByRole("button", { name: "New contact" });
  await phone.fill("030 1234567");
  await sheet.getByRole("textbox", { name: "Name" }).fill("Park Shop");
  await sheet.getByRole("textbox", { name: "Tags" }).fill("vip; wholesale");
  await sheet.getByRole("textbox", { name: "Facts of your own" }).fill("city = Recife");
  await create.click();
  await expect.poll(() => phone.getAttribute("aria-invalid")).toBe("true");
  await phone.fill("+1 555 200-0061");
  await create.click();
  await page.getByRole("heading", { level: 1, name: "Park Shop" }).waitFor();
  const { data } = (await mine.call("GET", "/v1/contacts?phone=%2B15552000061")).body;
  expect(data).toMatchObject([
    { tags: ["vip", "wholesale"], attributes: { city: "Recife" }, email: null, marketing_consent: "unknown" },
  ]);
  await visitor.go("/contacts?open=new");
  await phone.fill("+15552000061");
  await create.click();
  await sheet.getByRole("alert").getByRole("link", { name: "Open the existing one" }).click();
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "Park Shop" }).waitFor();
});

test("all whom the filters leave are saved as a file, and a refusal is said in its place", async () => {
  const { page } = visitor;
  await create({ phone: "+15552000071", name: "Quay Shop", tags: ["quay"] });
  await create({ phone: "+15552000072", name: "Quay Bar", tags: ["quay"] });
  await visitor.signIn(mine.key, "/contacts?tag=quay");
  const saved = async (format: string): Promise<[name: string, lines: string[]]> => {
    await page.getByRole("button", { name: "Export" }).click();
    const arrives = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: format }).click();
    const download = await arrives;
    return [
      download.suggestedFilename(),
      readFileSync(await download.path(), "utf8")
        .trimEnd()
        .split(/\r?\n/),
    ];
  };
  const [csv, [head, ...rows]] = await saved("CSV");
  expect([csv, head?.startsWith("id,phone,name"), rows.length]).toEqual(["contacts.csv", true, 2]);
  const [ndjson, lines] = await saved("NDJSON");
  const names = lines.map((line) => (JSON.parse(line) as { name: string }).name);
  expect([ndjson, names]).toEqual(["contacts.ndjson", ["Quay Bar", "Quay Shop"]]);
  visitor.expects(LOST);
  await page.route("**/v1/contacts/export*", (route) => route.abort());
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
});

test("what another has changed meanwhile is taken instead of what was entered here", async () => {
  const { page } = visitor;
  const id = await create({ phone: "+15552000009", name: "Lake Shop" });
  await visitor.signIn(mine.key, `/contacts/${id}?open=edit`);
  const sheet = page.getByRole("dialog", { name: "Edit" });
  const name = sheet.getByRole("textbox", { name: "Name" });
  await name.fill("Lake Shop Ltd");
  stage.gateway.clock.advance(1_000);
  await mine.call("PATCH", `/v1/contacts/${id}`, { body: { name: "Lake Cakes", marketing_consent: "opted_in" } });
  await sheet.getByRole("button", { name: "Save" }).click();
  const versions = sheet.getByRole("region", { name: "Both versions" });
  await versions.getByRole("row", { name: "Name Lake Cakes Lake Shop Ltd" }).waitFor();
  await versions.getByRole("row", { name: "Marketing Wants marketing You did not change it" }).waitFor();
  await expectAccessible(page, "both versions");
  await versions.getByRole("button", { name: "Take theirs" }).click();
  await versions.waitFor({ state: "hidden" });
  expect(await name.inputValue()).toBe("Lake Cakes");
  await page.keyboard.press("Escape"); // with nothing unsaved it asks nothing
  await page.getByRole("heading", { level: 1, name: "Lake Cakes" }).waitFor();
  await sheet.waitFor({ state: "hidden" });
});

test("two records of one person are seen side by side and merged", async () => {
  const { page } = visitor;
  const id = await create({ phone: "+15552000002", name: "East Shop" });
  const other = await create({ phone: "+15552000003", name: "East Shop two" });
  await visitor.signIn(mine.key, `/contacts/${id}`);
  await page.getByRole("link", { name: "Merge" }).click();
  const sheet = page.getByRole("dialog", { name: "Merge" });
  await sheet.getByRole("textbox").fill("East Shop two");
  await sheet.getByRole("button", { name: "Find" }).click();
  await sheet.getByRole("button", { name: "East Shop two" }).click();
  await sheet.getByRole("heading", { name: "This one joins it" }).waitFor();
  await sheet.getByRole("button", { name: "Merge them" }).click();
  const question = page.getByRole("alertdialog", { name: "Merge East Shop two into East Shop?" });
  await question.getByRole("button", { name: "Merge them" }).click();
  await expect.poll(async () => (await mine.call("GET", `/v1/contacts/${other}`)).body.id).toBe(id);
  await page.getByRole("heading", { level: 1, name: "East Shop", exact: true }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a person is erased once the name was typed, and is gone from the list and from what every tab has seen", async () => {
  const { page, context } = visitor;
  const id = await create({ phone: "+15552000004", name: "West Shop" });
  await visitor.signIn(mine.key, "/contacts");
  const other = await context.newPage();
  await other.goto("/events");
  for (const tab of [page, other]) await visitor.live(tab);
  await mine.inbound("+15552000004", "It is at the quay");
  const said = other.getByRole("table", { name: "Events" }).getByText("It is at the quay");
  await said.waitFor();
  await page.getByRole("link", { name: "West Shop" }).click();
  await page.getByRole("button", { name: "Erase" }).click();
  const question = page.getByRole("alertdialog", { name: "Erase West Shop?" });
  const erase = question.getByRole("button", { name: "Erase" });
  expect(await erase.isDisabled()).toBe(true);
  await question.getByRole("textbox", { name: "Type West Shop to go on" }).fill("West Shop");
  await erase.click();
  await expect.poll(() => page.getByText("West Shop").count()).toBe(0);
  await expect.poll(() => page.locator("h1:focus").allInnerTexts()).toEqual(["Contacts"]);
  expect((await mine.call("GET", `/v1/contacts/${id}`)).status).toBe(404);
  await expect.poll(() => said.count()).toBe(0);
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: "Events" }).click();
  await page.getByRole("table", { name: "Events" }).getByText("Contact erased").waitFor();
  expect(await page.getByText("It is at the quay").count()).toBe(0);
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "There is no such contact" }).waitFor();
});

test("people of another workspace are none, and who may only read sees why nothing can be changed", async () => {
  const { page } = visitor;
  const id = await create({ phone: "+15552000005", name: "South Shop" });
  const theirs = await stage.gateway.workspace();
  await visitor.signIn(theirs.key, `/contacts/${id}`);
  await page.getByRole("heading", { name: "There is no such contact" }).waitFor();
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "reader", scopes: ["contacts:read"] } });
  const other = await stage.open();
  await other.signIn(body.key, `/contacts/${id}`);
  for (const name of ["Edit", "Merge", "Erase", "Add"]) {
    const button = other.page.getByRole("button", { name, exact: true });
    await button.waitFor();
    expect([name, await button.getAttribute("title")]).toEqual([name, expect.stringContaining("contacts:write")]);
  }
  await other.leave();
});

test("a file is imported with its columns named, its refused rows are said, and a reload shows the same", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/contacts");
  await page.getByRole("link", { name: "Import" }).click();
  const content = "Mobile;Full name;City;Notes\n+15552000021;First Shop;Recife;a\nno number;Second Shop;Olinda;b\n";
  await page
    .getByLabel("File")
    .setInputFiles({ name: "shops.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
  expect(await page.getByRole("combobox", { name: "Mobile" }).inputValue()).toBe("phone");
  const first = page.getByRole("table", { name: "First rows" });
  await first
    .getByRole("row", { name: /^Line 3 Mobile: it has n, which no number has no number Second Shop$/ })
    .waitFor();
  const summary = page.getByRole("region", { name: "What the import does" });
  await summary.getByText("City, Notes").waitFor();
  await page.getByRole("combobox", { name: "Mobile" }).selectOption({ label: "Ignore it" });
  await summary.getByRole("alert").getByText("no column is the phone number").waitFor();
  for (const one of [first.getByText("Refused because"), summary.getByText("the others are taken")])
    expect(await one.count()).toBe(0);
  await page.getByRole("combobox", { name: "Mobile" }).selectOption({ label: "Phone number" });
  await page.getByRole("combobox", { name: "City" }).selectOption({ label: "Your own: attributes.City" });
  await summary.getByText("Mobile as Phone number, Full name as Name, City as City").waitFor();
  await summary.getByText("1 row, which is listed afterwards; the others are taken").waitFor();
  expect(await summary.getByRole("alert").count()).toBe(0);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByRole("status").getByText("Copied").waitFor();
  const command = String(await page.evaluate("navigator.clipboard.readText()"));
  expect(command).toMatch(
    /\/v1\/contacts\/imports\?mapping=\S+' .* -H "Content-Type: text\/csv" --data-binary '@shops.csv'$/,
  );
  await expectAccessible(page, "the first rows of a file");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("2 read, 1 created, 0 changed, 1 refused").waitFor({ timeout: 15_000 });
  await page.reload();
  await page.getByRole("table", { name: "Refused rows" }).getByText("Line 3").waitFor();
  const { body } = await mine.call("GET", "/v1/contacts?phone=%2B15552000021");
  expect(body.data).toMatchObject([{ name: "First Shop", attributes: { City: "Recife" } }]);
});

test("the file of an import is corrected and imported again: what was refused comes, and what came stays as it is", async () => {
  const { page } = visitor;
  const file = (second: string) => ({
    name: "shops.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`phone,name,locale\n+15552000041,Hill Shop,pt_BR\n${second}\n`),
  });
  await visitor.signIn(mine.key, "/contacts/import");
  await page.getByLabel("File").setInputFiles(file("+15552000042,Bay Shop,not a language"));
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("2 read, 1 created, 0 changed, 1 refused").waitFor({ timeout: 15_000 });
  await page.getByRole("table", { name: "Refused rows" }).getByText("Line 3").waitFor();
  const path = "/v1/contacts?phone=%2B15552000041";
  const before = (await mine.call("GET", path)).body.data;

  await page.getByRole("link", { name: "Another file" }).click();
  await page.getByRole("heading", { level: 1, name: "Import contacts" }).waitFor();
  await page.getByLabel("File").setInputFiles(file("+15552000042,Bay Shop,en_US"));
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("2 read, 1 created, 0 changed, 0 refused").waitFor({ timeout: 15_000 });
  expect(await page.getByRole("table", { name: "Refused rows" }).count()).toBe(0);
  expect((await mine.call("GET", path)).body.data).toEqual(before);
  await page.getByRole("link", { name: "Contacts", exact: true }).last().click();
  await page.getByRole("link", { name: "Bay Shop" }).waitFor();
});
