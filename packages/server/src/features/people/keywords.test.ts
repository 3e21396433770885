import { expect, test } from "vitest";
import { DEFAULT_OPT_IN, DEFAULT_OPT_OUT } from "./default-keywords.ts";
import { foldedOf, foldKeyword, isKeyword, saidIn } from "./keywords.ts";

const consentOf = (text: unknown) => saidIn("text", { body: text }).default_consent;

test.each([
  "STOP",
  "stop",
  " Stop! ",
  "„Stopp.“",
  "*STOP*",
  "ＳＴＯＰ",
  "stop all",
  "opt \t\n out",
  "\u200fإيقاف\u200e",
  "Arrêt",
  "arre\u0302t",
  "ABONELİKTEN ÇIK",
  "abonelikten çık",
  "ABONELIKTEN ÇIK",
  "¡Baja!",
  "बंद करें",
  "СТОП.",
  "停止。",
  "(sair)",
  "cancelar suscripcion",
  "CANCELAR INSCRICAO",
  "REZYGNUJE",
  "Se desabonner",
  "STOP-ALL",
  "Stop 🛑",
  "🛑🛑 stop ✋🏽",
  "~STOP~",
  "`stop`",
  "الغاء الإشتراك",
])("%j is an opt-out", (text) => {
  expect(consentOf(text)).toBe("opted_out");
});

test.each(["START", "start!!", "Alta", "ابدأ", "Başlat"])("%j is an opt-in", (text) => {
  expect(consentOf(text)).toBe("opted_in");
});

test.each([
  "please don't stop",
  "dùng",
  "👍",
  "Stop it",
  "nonstop",
  "The bus stop",
  "stop stop",
  "s top",
  "",
  " ",
  "…",
  "no",
  "cancel my order",
  `STOP${" ".repeat(300)}`,
  "STOP".repeat(1_000),
  "\ufdfa".repeat(256),
  "\u200b".repeat(256),
  null,
  7,
  { body: "STOP" },
  ["STOP"],
])("%j says nothing", (text) => {
  expect(consentOf(text)).toBeUndefined();
});

test("buttons and chosen rows speak too; what is no message of words does not", () => {
  const said = (type: string, content: unknown) => saidIn(type, content).default_consent;
  expect(said("button", { text: "Stop", payload: "x" })).toBe("opted_out");
  expect(said("button", { text: "No more of this", payload: "STOP" })).toBe("opted_out");
  expect(said("interactive", { type: "button_reply", button_reply: { id: "1", title: "Start" } })).toBeUndefined();
  expect(said("interactive", { type: "list_reply", list_reply: { id: "1", title: "Stop" } })).toBe("opted_out");
  expect(said("interactive", { type: "list_reply", list_reply: { id: "stop", title: "Bus lines" } })).toBeUndefined();
  expect(said("image", { caption: "STOP" })).toBeUndefined();
  for (const content of [null, 1, "STOP", [], { text: {} }]) expect(said("button", content)).toBeUndefined();
});

test("every default is a keyword, of one list alone", () => {
  const lists = [DEFAULT_OPT_OUT, DEFAULT_OPT_IN];
  for (const list of lists) {
    for (const tag of Object.keys(list)) expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    for (const word of Object.values(list).flat()) expect([word, isKeyword(foldKeyword(word))]).toEqual([word, true]);
  }
  const [outs, ins] = lists.map(foldedOf);
  expect(outs?.filter((word) => ins?.includes(word))).toEqual([]);
});
