import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { STEP_CODES } from "../../packages/server/src/features/accounts/signup/step.ts";
import { addAccount } from "../../packages/server/src/features/accounts/signup/testing/signups.ts";
import type { Workspace } from "../../packages/server/src/testing/gateway.ts";
import { expectAccessible } from "./accessible.ts";
import { allow, choose, freePort } from "./dialog.ts";
import { setScene, stage, visitor } from "./scene.ts";

// What a client does with a setup link, and what other browsers and programs cannot do with it.
setScene({ settings: async () => ({ PORT: String(await freePort()) }), leadsToSimulator: true });

let workspace: Workspace;
beforeAll(async () => {
  workspace = await stage.gateway.workspace();
});

type Link = { id: string; url: string; path: string };

async function newLink(body: object = {}): Promise<Link> {
  const { status, text, body: link } = await workspace.call("POST", "/v1/setup-links", { body });
  if (status !== 201) throw new Error(`no link: ${text}`);
  return { ...link, path: link.url.slice(stage.gateway.url.length) };
}
const shown = async ({ id }: Link) => (await workspace.call("GET", `/v1/setup-links/${id}`)).body;
const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("heading", { level: 1, name }).waitFor();
const logIn = async (page: Page, name = "Log in with the provider"): Promise<void> => {
  await page.getByRole("button", { name }).click();
  await page.waitForURL(/dialog/);
};

test("a client connects an account, and comes back with how it ended; the link is used then", async () => {
  const { page } = visitor;
  const { wabaId } = addAccount(stage);
  const link = await newLink({ return_url: `${stage.gateway.url}/healthz?plan=1` });
  // A chat has looked at it first.
  for (const method of ["GET", "HEAD"]) expect((await fetch(link.url, { method })).status).toBe(200);
  await visitor.go(link.path);
  await heading(page, "Connect WhatsApp to Acme");
  expect(page.url()).toBe(`${stage.gateway.url}/signup`);
  await expectAccessible(page, "the beginning");
  await page.reload();
  await heading(page, "Connect WhatsApp to Acme");
  await logIn(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The login was left without an account.").waitFor();
  const back = page.getByRole("link", { name: /^Back to/ });
  expect(await back.getAttribute("href")).toBe(`${stage.gateway.url}/healthz?plan=1&status=canceled`);
  expect(await back.innerText()).toBe(`Back to ${new URL(stage.gateway.url).host}`);
  await logIn(page);
  // Back to read the page again, and on.
  await page.goBack();
  await heading(page, "Connect WhatsApp to Acme");
  await page.goForward();
  await allow(stage, page, wabaId);
  await page.waitForURL(/healthz/);
  const { status, embedded_signup_id: signup } = await shown(link);
  expect(status).toBe("completed");
  expect(page.url()).toBe(`${stage.gateway.url}/healthz?plan=1&status=completed&embedded_signup_id=${signup}`);

  await visitor.go(link.path);
  await heading(page, "Your account is connected");
  expect(await page.getByRole("button").count()).toBe(0);
  await expectAccessible(page, "the end");
});

test("what failed is gone on with on a phone, in its language: by another login, then by the PIN of the number", async () => {
  const { page } = visitor;
  const link = await newLink();
  const { wabaId } = addAccount(stage, { numbers: [{ status: "PENDING", pin: "445566" }] });
  await visitor.go(link.path);
  await logIn(page);
  await choose(stage, page, wabaId);
  await page.getByText("Break it").click();
  await page.getByLabel("What goes wrong afterwards").selectOption("no_messaging");
  await page.getByRole("button", { name: "Allow" }).click();
  await heading(page, "This is not connected yet");
  await page.getByText("A permission was left out.").waitFor();
  expect(await page.getByRole("button").allTextContents()).toEqual(["Log in again"]);
  await expectAccessible(page, "a failure");

  const phone = await stage.open({ scheme: "dark", width: 390, height: 844, language: "ar" });
  phone.expects(new RegExp(`^request: ${stage.gateway.simulator.url}/`));
  await phone.go(link.path);
  await heading(phone.page, "لم يُوصَّل الحساب بعد");
  expect(await phone.page.evaluate("document.documentElement.dir")).toBe("rtl");
  await logIn(phone.page, "تسجيل الدخول من جديد");
  await allow(stage, phone.page, wabaId);
  const pin = phone.page.getByRole("textbox", { name: /PIN/ });
  await pin.waitFor();
  await expectAccessible(phone.page, "the question for a PIN");
  await pin.fill("445566");
  await phone.page.getByRole("button", { name: "متابعة" }).click();
  await heading(phone.page, "تم توصيل حسابك");
  expect((await shown(link)).status).toBe("completed");
  expect(await phone.page.content()).not.toContain("445566");
  await phone.leave();
  // The first one is there as it was: what it does now shows what has become of the link.
  await page.getByRole("button", { name: "Log in again" }).click();
  await heading(page, "Your account is connected");
});

test("an answer that another browser brings, or that this one did not ask for, begins nothing", async () => {
  const { page } = visitor;
  const { wabaId } = addAccount(stage);
  const link = await newLink();
  await visitor.go(link.path);
  await logIn(page);
  const state = new URL(page.url()).searchParams.get("state") ?? "";
  expect(state.length).toBeGreaterThan(40);

  // One that was sent the link too, with a code of an account of its own.
  const thief = await stage.open();
  await thief.go(link.path);
  await heading(thief.page, /^Connect/);
  const lie = `/signup/return?code=code-9001&state=${state}`;
  await thief.go(lie);
  await thief.page.getByText("Go on in the window where you began.").waitFor();
  await thief.page.evaluate(`sessionStorage.setItem("waypost-setup-state", ${JSON.stringify(state)})`);
  await thief.go(lie);
  await thief.page.getByText("That answer did not belong to this page.").waitFor();
  await expectAccessible(thief.page, "a refused answer");
  await thief.leave();

  await visitor.go("/signup/return?code=code-9001&state=never-asked-for");
  await page.getByText("Go on in the window where you began.").waitFor();
  expect(await shown(link)).toMatchObject({ status: "open", embedded_signup_id: null });

  await visitor.go("/signup");
  await logIn(page);
  await allow(stage, page, wabaId);
  await heading(page, "Your account is connected");
});

test("a link that is over, or is none, says so and offers nothing", async () => {
  const { page } = visitor;
  const [revoked, expired] = [await newLink(), await newLink()];
  await visitor.go(revoked.path);
  await heading(page, /^Connect/);
  const logInButton = page.getByRole("button", { name: "Log in with the provider" });
  visitor.expects(/status of 503/);
  await page.route("**/signup/link/dialog", (route) => route.fulfill({ status: 503 }));
  await logInButton.click();
  const failure = page.getByText("That did not work. Try again in a moment.");
  await failure.waitFor();
  await expectAccessible(page, "a click that failed");
  await page.unroute("**/signup/link/dialog");
  await workspace.call("DELETE", `/v1/setup-links/${revoked.id}`);
  await logInButton.click();
  await heading(page, "This link was withdrawn");
  expect(await failure.count()).toBe(0);
  // Another link, opened in the same tab.
  const beginning = page.waitForEvent("load");
  await page.evaluate(`location.hash = ${JSON.stringify(new URL(expired.url).hash)}`);
  await beginning;
  await heading(page, /^Connect/);
  stage.gateway.clock.advance(25 * 3_600_000);
  await page.reload();
  await heading(page, "This link has expired");
  await expectAccessible(page, "an expired link");
  await visitor.go("/signup#nonsense");
  await heading(page, "This link does not work");
  expect(await page.getByRole("button").count()).toBe(0);
});

test("what cannot go on says why, in the language of its person: the end of a dialog of another window, and a browser that keeps nothing", async () => {
  const { page, go, leave } = await stage.open({ language: "es-MX" });
  await go("/signup/return?code=code-9001&state=never-asked-for");
  await heading(page, "De vuelta del proveedor");
  expect(page.url()).toBe(`${stage.gateway.url}/signup/return`);
  await expectAccessible(page, "the end of a dialog");
  await page.addInitScript(
    'for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new Error("switched off"); } })',
  );
  await go((await newLink()).path);
  await heading(page, "Este navegador no guarda nada para esta página");
  expect(page.url()).toBe(`${stage.gateway.url}/signup`);
  await leave();
});

test("a link is created in the console, shown once, and revoked", async () => {
  const { page } = visitor;
  const of = await stage.gateway.workspace();
  await visitor.signIn(of.key, "/numbers");
  await page.getByRole("link", { name: "Send a setup link" }).click();
  const sheet = page.getByRole("dialog", { name: "Send a setup link" });
  await sheet.getByRole("textbox", { name: "Address to return to" }).fill("http://shop.example");
  await sheet.getByRole("button", { name: "Create the link" }).click();
  await sheet.getByText("The URL must be https.").first().waitFor();
  await sheet.getByRole("textbox", { name: "Address to return to" }).fill("https://shop.example");
  await sheet.getByRole("combobox", { name: "Works for" }).selectOption({ label: "A week" });
  await sheet.getByRole("button", { name: "Create the link" }).click();
  const once = page.getByRole("alertdialog", { name: "The link" });
  const url = (await once.getByRole("code").textContent()) ?? "";
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/signup#[\w-]{86}$/);
  await once.getByRole("button", { name: "I have stored it" }).click();
  const row = page.getByRole("table", { name: "Setup links" }).getByRole("row").nth(1);
  await row.getByText("Open").waitFor();
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await row.getByText("Revoked").waitFor();
  expect(await page.content()).not.toContain(new URL(url).hash);
});

test("each language says all that English does, of every step that can fail", async () => {
  const path = new URL("../../packages/console/public/console/setup-link-texts.js", import.meta.url);
  const { LANGUAGES, languageOf } = await import(path.href);
  const namesOf = (texts: object): string[] =>
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === "string" ? [`${name} ${(text.match(/\{\w+\}/g) ?? []).toSorted().join()}`] : namesOf(text),
    );
  const english = LANGUAGES.en.words;
  expect(Object.keys(english.reasons).toSorted()).toEqual([...STEP_CODES].toSorted());
  for (const [tag, { words }] of Object.entries<{ words: object }>(LANGUAGES)) {
    expect([tag, namesOf(words)]).toEqual([tag, namesOf(english)]);
  }
  const leads = Object.values<{ words: { lead: string } }>(LANGUAGES).map(({ words }) => words.lead);
  expect(new Set(leads).size).toBe(leads.length);
  expect([languageOf(null, ["fr", "pt-PT"]), languageOf("ar", ["en"]), languageOf("xx", ["fr"])]).toEqual([
    "pt-BR",
    "ar",
    "en",
  ]);
});
