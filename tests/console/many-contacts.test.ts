import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// What a person does to many contacts at once, and what became of rows of a file.

setScene();

const create = async (body: object): Promise<string> => (await mine.call("POST", "/v1/contacts", { body })).body.id;
const tagsOf = async (id: string): Promise<string[]> => (await mine.call("GET", `/v1/contacts/${id}`)).body.tags;

test("three people are tagged of whom one was erased meanwhile, and one loses the tag by the keyboard", async () => {
  const { page, context } = visitor;
  const north = await create({ phone: "+15552000201", name: "North Shop" });
  const east = await create({ phone: "+15552000202", name: "East Shop", tags: ["old"] });
  const gone = await create({ phone: "+15552000203", name: "Gone Shop" });
  await visitor.signIn(mine.key, "/contacts?q=Shop");
  await page.getByRole("checkbox", { name: "All on this page" }).check();
  await page.getByText("3 chosen").waitFor();
  // Erased with this very request: the event of it would take the person out of the choice.
  await context.route(`**/v1/contacts/${gone}/tags`, async (route) => {
    await mine.call("DELETE", `/v1/contacts/${gone}`);
    await route.continue();
  });
  await page.getByRole("combobox", { name: "Tag", exact: true }).fill("vip");
  await page.getByRole("button", { name: "Add the tag" }).click();
  await page.getByText("The tag vip was added to 2 contacts.").waitFor();
  const outcome = page.getByRole("region", { name: "Tags of those who are chosen" });
  const failed = outcome.getByRole("listitem").filter({ hasText: "Gone Shop" });
  await failed.getByText("There is no such contact any more.").waitFor();
  expect(await outcome.getByRole("button", { name: "Try these again" }).count()).toBe(0);
  expect([await tagsOf(north), await tagsOf(east)]).toEqual([["vip"], ["old", "vip"]]);
  await page.getByText("2 chosen").waitFor();
  await page.getByRole("combobox", { name: "Tag", exact: true }).fill("x".repeat(300));
  await page.getByRole("button", { name: "Add the tag" }).click();
  await outcome.getByRole("alert").getByText("The request is not valid").waitFor();
  expect(await outcome.getByText(/was added|did not work for/).count()).toBe(0);
  await page.getByRole("combobox", { name: "Tag", exact: true }).fill("vip");
  await page.getByRole("checkbox", { name: "Choose North Shop" }).focus();
  await page.keyboard.press("Space");
  await page.getByText("1 chosen").waitFor();
  await page.getByRole("button", { name: "Remove the tag" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The tag vip was removed from 1 contact.").waitFor();
  expect([await tagsOf(north), await tagsOf(east)]).toEqual([["vip"], ["old"]]);
});

test("who may only read chooses, and sees what is lacking", async () => {
  const { page } = visitor;
  await create({ phone: "+15552000211", name: "West Shop" });
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "reader", scopes: ["contacts:read"] } });
  await visitor.signIn(body.key, "/contacts");
  await page.getByRole("checkbox", { name: "Choose West Shop" }).check();
  for (const name of ["New contact", "Import", "Add the tag", "Remove the tag"]) {
    const button = page.getByRole("button", { name });
    expect([name, await button.getAttribute("title")]).toEqual([name, expect.stringContaining("contacts:write")]);
  }
  const { body: writer } = await mine.call("POST", "/v1/api-keys", { body: { name: "w", scopes: ["contacts:write"] } });
  const other = await stage.open();
  await other.signIn(writer.key, "/contacts");
  const save = other.page.getByRole("button", { name: "Export" });
  expect([await save.isDisabled(), await save.getAttribute("title")]).toEqual([
    true,
    expect.stringContaining("contacts:read"),
  ]);
  await other.leave();
});

test("the refused rows of an import are one file, in which nothing is a formula", async () => {
  const { page } = visitor;
  const rows = Array.from({ length: 120 }, (_, n) => `+1555201${String(n).padStart(4, "0")},not a language`);
  const mapping = encodeURIComponent(JSON.stringify({ "=Lang": "locale" }));
  const { body } = await mine.call("POST", `/v1/contacts/imports?mapping=${mapping}`, {
    body: ["phone,=Lang", ...rows].join("\n"),
    headers: { "content-type": "text/csv" },
  });
  await vi.waitFor(async () => {
    const { status } = (await mine.call("GET", `/v1/contacts/imports/${body.id}`)).body;
    if (status !== "completed") throw new Error(`the import is ${status}`);
  }, PATIENCE);
  await visitor.signIn(mine.key, `/contacts/imports/${body.id}`);
  const arrives = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const download = await arrives;
  expect(download.suggestedFilename()).toBe(`${body.id}-refused-rows.csv`);
  const lines = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect([lines.length, lines[0]]).toEqual([121, "row,line,column,code,detail"]);
  const { data } = (await mine.call("GET", `/v1/contacts/imports/${body.id}/errors?limit=1`)).body;
  const [{ code, detail }] = data;
  expect(lines.at(-1)).toBe(`120,121,'=Lang,${code},${/[",]/.test(detail) ? JSON.stringify(detail) : detail}`);
});
