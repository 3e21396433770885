import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { mine, setScene, stage, visitor } from "./scene.ts";

// Templates: written, refused by the provider, corrected, approved and sent.

setScene();
beforeAll(async () => {
  // Decided by the tests alone.
  stage.gateway.simulator.setDelays({ reviewMs: null });
});

const expectShown = (what: Locator): Promise<void> => what.waitFor();
const templateNamed = async (name: string) =>
  (await mine.call("GET", `/v1/templates?name=${name}`)).body.data[0] ?? null;

test("a template is written with a sample for its variable, checked, and submitted", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/templates");
  await page.getByRole("link", { name: "New template" }).click();
  // The list has a field for names too, until the form is there.
  await expectShown(page.getByRole("heading", { level: 1, name: "New template" }));
  await page.getByLabel("Name", { exact: true }).fill("parcel_today");
  await page.getByRole("textbox", { name: "Body" }).fill("Your parcel comes, {{1}}");
  await page.getByLabel("Sample for {{1}}").fill("Ana");
  await expectShown(page.getByRole("status").getByText("It would be refused."));
  await expectShown(page.getByText("Put text before the first variable and after the last one."));
  await page.getByRole("textbox", { name: "Body" }).fill("Hi {{1}}, your parcel comes today.");
  await expectShown(page.getByRole("figure").getByText("Hi Ana, your parcel comes today."));
  await expectShown(page.getByRole("status").getByText("Nothing speaks against it here."));
  expect(await templateNamed("parcel_today")).toBeNull();
  await page.getByRole("button", { name: "Add a button" }).click();
  await page.getByRole("group", { name: "Button 1" }).getByLabel("Text", { exact: true }).fill("Thanks");
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "parcel_today" }));
  expect(await templateNamed("parcel_today")).toMatchObject({
    status: "pending",
    components: [
      { type: "BODY", text: "Hi {{1}}, your parcel comes today.", example: { body_text: [["Ana"]] } },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Thanks" }] },
    ],
  });
});

test("one that the provider rejected is corrected, resubmitted and approved within eight clicks", async () => {
  const { page } = visitor;
  const { body: submitted } = await mine.call("POST", "/v1/templates", {
    body: {
      name: "parcel_late",
      language: { code: "en_US" },
      category: "utility",
      components: [{ type: "BODY", text: "Your parcel is late. Buy another!" }],
    },
  });
  const { simulator } = stage.gateway;
  simulator.decideTemplate(submitted.provider_template_id, { status: "REJECTED", reason: "TAG_CONTENT_MISMATCH" });
  await expect.poll(async () => (await templateNamed("parcel_late")).status).toBe("rejected");
  await visitor.signIn(mine.key);
  let clicks = 0;
  const click = async (what: Locator): Promise<void> => {
    clicks += 1;
    await what.click();
  };
  await click(page.getByRole("link", { name: "Templates" }));
  await click(page.getByRole("row", { name: /parcel_late/ }).getByRole("link", { name: "en_US, Rejected" }));
  await expectShown(page.getByText("The provider has rejected it"));
  await click(page.getByRole("link", { name: "Edit and resubmit" }));
  await page.getByRole("textbox", { name: "Body" }).fill("Your parcel is late. It comes tomorrow.");
  await click(page.getByRole("button", { name: "Submit for review" }));
  await expectShown(page.getByText("Pending", { exact: true }));
  await expectShown(page.getByRole("status").getByText("Live"));
  simulator.decideTemplate(submitted.provider_template_id, { status: "APPROVED" });
  await expectShown(page.getByText("Approved", { exact: true }));
  await click(page.getByRole("link", { name: "Send it" }));
  await expectShown(page.getByRole("figure").getByText("Your parcel is late. It comes tomorrow."));
  expect(clicks).toBeLessThanOrEqual(8);
});

test("the list has a row for a name, filters in its address, and what reading again gave", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/templates?status=paused");
  await expectShown(page.getByRole("link", { name: "en_US, Paused" }));
  const rows = page.getByRole("table", { name: "Templates" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("button", { name: "Read from the provider" }).click();
  await expectShown(page.getByRole("status").getByText(/: nothing has changed\.$|: \d+ changed\.$/));

  await visitor.go("/templates");
  const { data } = (await mine.call("GET", "/v1/templates")).body;
  const chips = rows.getByRole("link");
  await expectShown(chips.nth(1));
  const templateOf = async (chip: Locator) => {
    const href = await chip.getAttribute("href");
    return data.find(({ id }: { id: string }) => href?.endsWith(id));
  };
  const [first, second] = [await templateOf(chips.first()), await templateOf(chips.nth(1))];
  await chips.first().click();
  await expectShown(page.getByRole("heading", { level: 2, name: first.name }));
  await page.keyboard.press("j");
  await expectShown(page.getByRole("heading", { level: 2, name: second.name }));
  await expect.poll(() => page.url()).toBe(`${stage.gateway.url}/templates/${second.id}`);
  await page.keyboard.press("Escape");
  const chip = rows.locator(`a[href$="${second.id}"]`);
  await expect.poll(() => chip.evaluate((link) => link.ownerDocument.activeElement === link)).toBe(true);
});

test("another's change meanwhile stands beside what was written, and is taken; a key without the scope submits nothing", async () => {
  const { page } = visitor;
  const { id } = await templateNamed("order_update");
  await visitor.signIn(mine.key, `/templates/${id}/edit`);
  const body = page.getByRole("textbox", { name: "Body" });
  await body.waitFor();
  const changed = await mine.call("PATCH", `/v1/templates/${id}`, {
    body: {
      components: [
        { type: "BODY", text: "Hello {{1}}, order {{2}} is on its way.", example: { body_text: [["Ana", "A17"]] } },
      ],
    },
  });
  expect(changed.status).toBe(200);
  await body.fill("Hi {{1}}, order {{2}} is close.");
  await page.getByLabel("Sample for {{1}}").fill("Ana");
  await page.getByLabel("Sample for {{2}}").fill("A17");
  await page.getByRole("button", { name: "Submit for review" }).click();
  const versions = page.getByRole("region", { name: "Both versions" });
  const row = "Body Hello {{1}}, order {{2}} is on its way. Hi {{1}}, order {{2}} is close.";
  await expectShown(versions.getByRole("row", { name: row }));
  await versions.getByRole("button", { name: "Take theirs" }).click();
  await versions.waitFor({ state: "hidden" });
  expect(await body.inputValue()).toBe("Hello {{1}}, order {{2}} is on its way.");

  const { body: reader } = await mine.call("POST", "/v1/api-keys", {
    body: { name: "reader", scopes: ["templates:read"] },
  });
  const other = await stage.open();
  await other.signIn(reader.key, `/templates/${id}`);
  await expect
    .poll(() => other.page.getByRole("button", { name: "Delete" }).getAttribute("title"))
    .toContain("templates:write");
  await other.leave();
});

test("a template that the provider moves to marketing says so, from what to what", async () => {
  const { page } = visitor;
  const { id, provider_template_id: own } = await templateNamed("order_ready");
  await visitor.signIn(mine.key, `/templates/${id}`);
  await expectShown(page.getByRole("heading", { level: 1, name: "order_ready" }));
  expect(await page.getByText("The provider has moved it").count()).toBe(0);
  stage.gateway.simulator.changeCategory(own, { category: "MARKETING" });
  await expectShown(page.getByText("The provider has moved it from Utility to Marketing"));
  await expectShown(page.getByText("Its messages count as marketing then"));
});
