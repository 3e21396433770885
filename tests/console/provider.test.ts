import { expect, test } from "vitest";
import { mine, setScene, stage, visitor } from "./scene.ts";

// The provider's page in a real browser: what is done there happens to the gateway.

setScene({ isSimulator: true });

const open = async (part: string): Promise<void> => {
  await visitor.go(`/sim/provider#${part}`);
  await visitor.page.getByRole("status").getByText("Live").waitFor();
};
const item = (text: string) => visitor.page.getByRole("main").getByRole("listitem").filter({ hasText: text });
const shop = () => stage.gateway.simulator.accounts().find(({ waba_id }) => waba_id === mine.account.wabaId)!;
const template = async (name: string) => {
  const { body } = await mine.call("GET", `/v1/templates?name=${name}`);
  return body.data[0];
};

test("a template is approved, rejected with its reason and paused, and the gateway has it", async () => {
  await open("templates");
  const pending = item("pending_notice");
  await pending.getByText("pending", { exact: true }).waitFor();
  await pending.getByRole("button", { name: "Approve" }).click();
  await pending.getByText("approved", { exact: true }).waitFor();
  await expect.poll(async () => (await template("pending_notice")).status).toBe("approved");

  await pending.getByRole("combobox", { name: "Reason" }).selectOption("SCAM");
  await pending.getByRole("button", { name: "Reject" }).click();
  await pending.getByText("scam", { exact: false }).first().waitFor();
  await expect.poll(async () => (await template("pending_notice")).status).toBe("rejected");

  await item("promo_spring").getByRole("button", { name: "Pause" }).click();
  await item("promo_spring").getByText("paused", { exact: true }).waitFor();
  await expect.poll(async () => (await template("promo_spring")).status).toBe("paused");
});

test("a fault is set by its form, refuses a send, and is cleared", async () => {
  const { page } = visitor;
  const { simulator } = stage.gateway;
  await open("faults");
  await page.getByText("None: every call is answered").waitFor();
  const form = page.getByRole("main").locator("form");
  await form.getByLabel("What happens").selectOption({ label: "Slow answer" });
  expect(await form.getByLabel("Error code").isVisible()).toBe(false);
  await form.getByLabel("What happens").selectOption({ label: "Refuse" });
  await form.getByLabel("Error code").fill("131009");
  await form.getByRole("button", { name: "Add" }).click();
  await item("Refuse, code 131009").waitFor();
  const { body } = await mine.send("+15551230011");
  expect((await mine.becomes(body.id, "failed")).error.provider.code).toBe(131009);
  await page.getByText("None: every call is answered").waitFor();

  await form.getByLabel("What happens").selectOption({ label: "Other statuses" });
  await form.getByLabel("How many times").fill("");
  await form.getByRole("button", { name: "Add" }).click();
  await item("until it is cleared").getByRole("button", { name: "Clear" }).click();
  await page.getByText("None: every call is answered").waitFor();
  expect(simulator.faults()).toEqual([]);

  await form.getByRole("button", { name: "Add" }).click();
  await item("Other statuses").waitFor();
  // By another client, with this very request: once the page has read of it, there is nothing to click.
  await page.route("**/faults/*", async (route) => {
    simulator.clearFaults();
    await route.continue();
  });
  await item("Other statuses").getByRole("button", { name: "Clear" }).click();
  await page.getByRole("alert").getByText("no fault fault-").waitFor();
});

test("an account loses its token, is banned and limited; a number its quality", async () => {
  const { page } = visitor;
  await open("accounts");
  const account = item(mine.account.wabaId).first();
  await account.getByRole("combobox", { name: "Messaging limit" }).selectOption("TIER_2K");
  await expect.poll(() => shop().messaging_limit).toBe("TIER_2K");
  await account.getByRole("combobox", { name: /^Quality/ }).selectOption("RED");
  await expect.poll(() => shop().phone_numbers[0]!.quality_rating).toBe("RED");
  await account.getByRole("button", { name: "Ban", exact: true }).click();
  await account.getByText("sends refused, 131031").waitFor();
  await account.getByRole("button", { name: "Lift the ban" }).click();
  await expect.poll(() => shop().lock).toBe(null);
  await account.getByRole("button", { name: "Let the token expire" }).click();
  await account.getByText("token dead, 190 463").waitFor();
  await account.getByRole("button", { name: "Make the token valid" }).click();
  await account.getByText("token valid").waitFor();
  await account.getByRole("button", { name: "Revoke the app" }).click();
  await account.getByText("token dead, 190 458").waitFor();
  await expect
    .poll(async () => (await mine.call("GET", "/v1/business-accounts")).body.data[0].status)
    .toBe("disconnected");
  await account.getByRole("button", { name: "Make the token valid" }).click();
  await page.getByText("token valid").first().waitFor();
});

test("callbacks and sends are listed as they come, and a callback is repeated", async () => {
  const { page } = visitor;
  const markup = `<img src=x onerror="globalThis.ran=1">`;
  await stage.gateway.simulator.idle();
  await open("callbacks");
  const list = page.getByRole("main").getByRole("listitem");
  await list.first().waitFor();
  const shown = await list.count();
  stage.gateway.simulator.inbound({
    phone_number_id: mine.account.providerPhoneNumberId,
    from: "+15551230012",
    text: markup,
  });
  await expect.poll(() => list.count()).toBe(shown + 1);
  await list.first().getByText("Body", { exact: true }).click();
  await list.first().getByText(markup.replaceAll('"', '\\"')).waitFor();
  const before = stage.gateway.simulator.stats().callbacks.posts;
  await list.first().getByRole("button", { name: "Repeat" }).click();
  await expect.poll(() => stage.gateway.simulator.stats().callbacks.posts).toBe(before + 1);
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();

  await page.getByRole("link", { name: "Sent" }).click();
  await stage.gateway.simulator.whenSent(1);
  await item("order_ready to").first().waitFor();
});
