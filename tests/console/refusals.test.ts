import { expect, test } from "vitest";
import { mine, setScene, stage, visitor } from "./scene.ts";
import { LOST } from "./stage.ts";

// What a person does when the gateway asks to wait, or when the session has ended meanwhile.

setScene();

const REFUSED = {
  type: "/docs/errors/unavailable",
  title: "Not available just now",
  status: 503,
  code: "unavailable",
  detail: "Try again in a moment.",
  retryable: true,
  request_id: "req_01m8qzjzr0e4kvbp3h5x9d2tcf",
};

test("a page waits as long as the refusal asks, asks nothing meanwhile, and is read again by a click", async () => {
  const { page, context } = visitor;
  visitor.expects(/503/);
  await visitor.signIn(mine.key);
  await visitor.live(page); // with the first event stream, all that is shown is read once more
  let asked = 0;
  // As a proxy before an overloaded gateway does.
  await context.route("**/v1/templates?*", async (route) => {
    asked += 1;
    const headers = { "retry-after": "4", "content-type": "application/problem+json" };
    await route.fulfill({ status: 503, headers, body: JSON.stringify(REFUSED) });
  });
  await page.getByRole("link", { name: "Templates" }).click();
  const waits = page.getByRole("alert").getByRole("button", { name: /^Try again in \d s$/ });
  await waits.waitFor();
  const code = page.getByRole("alert").getByRole("link", { name: "unavailable" });
  expect(await code.getAttribute("href")).toBe(`${stage.gateway.url}/docs/errors/unavailable`);
  const before = asked;
  expect(await waits.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Try again in 2 s" }).waitFor();
  const again = page.getByRole("button", { name: "Try again", exact: true });
  await again.waitFor();
  expect(asked).toBe(before);
  await context.unroute("**/v1/templates?*");
  await again.click();
  await page.getByRole("table", { name: "Templates" }).waitFor();
});

test("what was read of one thing stays while it cannot be read again, which is said, and is read by a click", async () => {
  const { page } = visitor;
  const { simulator } = stage.gateway;
  const [template] = (await mine.call("GET", "/v1/templates?name=pending_notice")).body.data;
  await visitor.signIn(mine.key, `/templates/${template.id}`);
  await page.getByText("Pending", { exact: true }).waitFor();
  await visitor.live(page);
  visitor.expects(LOST);
  await page.route(`**/v1/templates/${template.id}`, (route) => route.abort());
  simulator.decideTemplate(template.provider_template_id, { status: "APPROVED" });
  const alert = page.getByRole("alert").filter({ hasText: "The gateway does not answer" });
  await alert.waitFor();
  await page.getByText("Pending", { exact: true }).waitFor();
  await page.unroute(`**/v1/templates/${template.id}`);
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Approved", { exact: true }).waitFor();
  expect(await alert.count()).toBe(0);
});

test("a change that is refused because the session has ended leads to the sign-in, and back", async () => {
  const { page, context } = visitor;
  const { body: contact } = await mine.call("POST", "/v1/contacts", { body: { phone: "+15552000001", name: "North" } });
  await visitor.signIn(mine.key, `/contacts/${contact.id}?open=edit`);
  await page.getByRole("textbox", { name: "Email" }).fill("north@example.com");
  // Ends with this very request: a page that is still reading something would come to the sign-in before it.
  await context.route(`**/v1/contacts/${contact.id}`, async (route) => {
    if (route.request().method() === "PATCH") await context.clearCookies();
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByLabel("Key", { exact: true }).fill(mine.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("dialog", { name: "Edit" }).getByRole("textbox", { name: "Email" }).waitFor();
  expect((await mine.call("GET", `/v1/contacts/${contact.id}`)).body.email).toBeNull();
});

// Last: the address may not sign in for a minute.
test("at the sign-in, too many wrong keys say how long to wait", async () => {
  const { page } = visitor;
  visitor.expects(/429/);
  await visitor.go("/sign-in");
  for (let tries = 0; tries < 20; tries += 1)
    await mine.call("POST", "/console/session", { body: { key: `wrong ${tries}` } });
  await page.getByLabel("Key", { exact: true }).fill("wp_live_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page
    .getByRole("alert")
    .getByText(/^Try again in \d+ s$/)
    .waitFor();
  expect(await page.getByRole("alert").getByRole("button", { name: "Try again" }).count()).toBe(0);
});
