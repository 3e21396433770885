import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { openStage, type Stage, type Visitor } from "./stage.ts";

// The console in the language of a person, and what a page says of it.
let stage: Stage;
let mine: Sender;

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.sender();
});
afterAll(() => stage?.stop());

const expectPage = async ({ page }: Visitor, lang: string, dir: string): Promise<void> => {
  await expect
    .poll(() => page.evaluate("[document.documentElement.lang, document.documentElement.dir]"))
    .toEqual([lang, dir]);
};

test("a browser gets its language, where lines begin, and numbers, without a choice", async () => {
  const visitor = await stage.open({ language: "ar-EG" });
  await visitor.go("/sign-in");
  await expectPage(visitor, "ar", "rtl");
  await visitor.page.getByLabel("المفتاح", { exact: true }).fill(mine.key);
  await visitor.page.getByRole("button", { name: "تسجيل الدخول" }).click();
  await visitor.page.getByRole("heading", { level: 1, name: "الرئيسية" }).waitFor();
  await visitor.page
    .getByRole("heading", { name: "الخطوات الأولى: 0 من 5" })
    .or(visitor.page.getByText("لا أرقام بعد"))
    .first()
    .waitFor();
  await visitor.leave();
});

test("a language is chosen in the page, kept over a reload, and left again", async () => {
  const visitor = await stage.open();
  const { page } = visitor;
  await visitor.signIn(mine.key, "/messages");
  await expectPage(visitor, "en", "ltr");
  await page.getByRole("button", { name: /^Signed in with/ }).click();
  await page.getByRole("menuitemradio", { name: "العربية" }).click();
  await page.getByRole("heading", { level: 1, name: "الرسائل" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "الرسائل" }).waitFor();
  await expectPage(visitor, "ar", "rtl");
  await page.getByRole("button", { name: /^مسجّل الدخول باسم/ }).click();
  await page.getByRole("menuitemradio", { name: "كالمتصفح" }).click();
  await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
  await expectPage(visitor, "en", "ltr");
  await visitor.leave();
});

/** The characters of a heading as they stand from left to right, but spaces and marks that are not seen. */
const FROM_THE_LEFT = `(() => {
  const { firstChild } = document.querySelector("h1");
  const range = document.createRange();
  const leftOf = (at) => {
    range.setStart(firstChild, at);
    range.setEnd(firstChild, at + 1);
    return range.getBoundingClientRect().left;
  };
  const seen = [...firstChild.data].map((character, at) => ({ character, left: leftOf(at) }));
  const wanted = seen.filter(({ character }) => /[+0-9]/.test(character));
  return wanted.sort((one, other) => one.left - other.left).map(({ character }) => character).join("");
})()`;

test("a phone number is read from the left where lines begin at the right", async () => {
  const visitor = await stage.open({ language: "ar" });
  await visitor.signIn(mine.key, `/numbers/${mine.phoneNumberId}`);
  await visitor.page.getByRole("heading", { level: 1, name: "+1 555" }).waitFor();
  expect(await visitor.page.evaluate(FROM_THE_LEFT)).toBe(mine.account.phone);
  await visitor.leave();
});

test("the page of the sign-in has the choice too, and a language that the console lacks is English", async () => {
  const visitor = await stage.open({ language: "fi" });
  await visitor.go("/sign-in");
  await visitor.page.getByRole("combobox", { name: "Language" }).selectOption({ label: "العربية" });
  await visitor.page.getByRole("heading", { level: 1, name: "تسجيل الدخول" }).waitFor();
  await visitor.page.getByRole("combobox", { name: "اللغة" }).selectOption({ label: "English" });
  await visitor.page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await visitor.leave();
});

test.each([
  ["es-MX", "es", "Iniciar sesión"],
  ["pt-PT", "pt-BR", "Entrar"],
])("a browser that asks for %s gets the nearest language that there is", async (asked, lang, title) => {
  const visitor = await stage.open({ language: asked });
  await visitor.go("/sign-in");
  await expectPage(visitor, lang, "ltr");
  await visitor.page.getByRole("heading", { level: 1, name: title }).waitFor();
  await visitor.leave();
});
