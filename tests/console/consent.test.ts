import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addAccount,
  begin,
  completed,
  failed,
  type Granted,
  nextOf,
} from "../../packages/server/src/features/accounts/signup/testing/signups.ts";
import type { Workspace } from "../../packages/server/src/testing/gateway.ts";
import { expectAccessible } from "./accessible.ts";
import { FORMS } from "./pages.ts";
import { openStage, type Stage, type Visitor } from "./stage.ts";

// The provider's dialog in a real browser: what only a browser does, such as the origin that it sends with a form, is in it.
let stage: Stage;
let mine: Workspace;
let account: Granted;
let visitor: Visitor;

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.workspace();
});
afterAll(() => stage?.stop());
beforeEach(async () => {
  account = addAccount(stage);
  visitor = await stage.open({ origin: stage.gateway.simulator.url, width: 600, height: 700 });
  return async () => {
    await visitor.leave();
    stage.gateway.simulator.removeAccount(account.wabaId);
  };
});

/** Another origin than the dialog's, where the code goes. */
const returnAddress = () => `${stage.gateway.url}/healthz`;
const dialog = (more: Record<string, string> = {}) =>
  `/sim/consent?${new URLSearchParams({ client_id: "42", config_id: "84", state: "of-this-tab", ...more }).toString()}`;

/** Goes through the steps up to the last button. `fault`: the name of what is to go wrong. */
async function choose(page: Visitor["page"], fault = ""): Promise<void> {
  await page.getByRole("heading", { name: "Choose a business" }).waitFor();
  await page.getByRole("radio", { name: `Shop` }).first().check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Choose an account and a number" }).waitFor();
  await page.getByRole("checkbox", { name: account.wabaId }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "may do" }).waitFor();
  if (fault === "") return;
  await page.getByText("Break it").click();
  await page.getByLabel("What goes wrong afterwards").selectOption(fault);
}

/** Allows, and resolves with the address that the browser was sent to. */
async function allow(): Promise<URL> {
  const { page } = visitor;
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${returnAddress()}?*`);
  expect(visitor.faults.splice(0)).toEqual([`request: ${page.url()}`]); // to where it was asked to return
  return new URL(page.url());
}

test("three steps lead to a code that connects the account", async () => {
  const { page } = visitor;
  const redirect_uri = returnAddress();
  await visitor.go(dialog({ redirect_uri }));
  await choose(page);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("checkbox", { name: account.wabaId }).uncheck();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("alert").getByText("Choose an account.").waitFor();
  await page.getByRole("checkbox", { name: account.wabaId }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  const back = await allow();
  expect(back.searchParams.get("state")).toBe("of-this-tab");
  const code = back.searchParams.get("code") ?? "";
  expect(await completed(mine, await begin(mine, { code, redirect_uri }))).toMatchObject({
    provider_account_id: account.wabaId,
  });
});

test.each([
  ["expired", "exchange", "code_expired"],
  ["used", "exchange", "code_expired"],
  ["no_management", "inspect_token", "scope_missing"],
  ["no_messaging", "inspect_token", "scope_missing"],
  ["other_app", "inspect_token", "token_of_another_app"],
])("broken by %s the signup ends at %s", async (fault, name, code) => {
  const redirect_uri = returnAddress();
  await visitor.go(dialog({ redirect_uri }));
  await choose(visitor.page, fault);
  const given = (await allow()).searchParams.get("code") ?? "";
  const signup = await failed(mine, await begin(mine, { code: given, redirect_uri }));
  expect(nextOf(signup)).toMatchObject({ name, error: { code } });
});

test("canceled, no code comes back", async () => {
  const { page } = visitor;
  await visitor.go(dialog({ redirect_uri: returnAddress() }));
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(`${returnAddress()}?*`);
  visitor.faults.length = 0;
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("error"), searchParams.get("code")]).toEqual(["access_denied", null]);
});

test("as a popup it posts the event and the code to the window that opened it, and closes", async () => {
  const { page, context } = visitor;
  await page.evaluate(
    "globalThis.got = []; addEventListener('message', ({ data }) => globalThis.got.push(JSON.parse(data)))",
  );
  const opened = context.waitForEvent("page");
  await page.evaluate(
    `void open(${JSON.stringify(stage.gateway.simulator.url + dialog())}, "signup", "width=600,height=700")`,
  );
  const popup = await opened;
  const closed = popup.waitForEvent("close");
  await choose(popup);
  await popup.getByRole("button", { name: "Allow" }).click();
  await closed;
  await expect
    .poll(() => page.evaluate("globalThis.got"))
    .toMatchObject([
      {
        type: "WA_EMBEDDED_SIGNUP",
        event: "FINISH",
        data: { waba_id: account.wabaId, phone_number_id: account.numberIds[0] },
      },
      { type: "SIM_SIGNUP_CODE", code: expect.any(String), state: "of-this-tab" },
    ]);
});

test("markup in names stays text", async () => {
  const { page } = visitor;
  const markup = `<img src=x onerror="globalThis.ran=1">`;
  const of = { waba_id: "991", name: markup, business_id: "7991", token: "EAASIM991" };
  stage.gateway.simulator.addAccount({
    ...of,
    phone_numbers: [{ id: "9911", display_phone_number: "+15559911", verified_name: markup }],
  });
  await visitor.go(dialog({ state: `"><script>globalThis.ran=1</script>` }));
  await page.getByRole("radio", { name: markup }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("radio", { name: markup }).waitFor();
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  stage.gateway.simulator.removeAccount("991");
});

test.each(FORMS)("each step can be used by all, $scheme at $width pixels", async ({ scheme, width }) => {
  const seen = await stage.open({ scheme, width, origin: stage.gateway.simulator.url });
  const { page } = seen;
  await seen.go(dialog());
  await expectAccessible(page, "the business");
  await page.getByText("Break it").click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expectAccessible(page, "the account");
  await page.getByRole("button", { name: "Continue" }).click();
  await expectAccessible(page, "the permissions");
  await seen.leave();
});
