import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begun, forgetWorks, openWorks, seen, type Work, works } from "./works.ts";

// A tab's storage, as a browser has it.
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  openWorks("ses_1");
});
afterEach(() => {
  forgetWorks();
  vi.unstubAllGlobals();
});

const work = (id: string): Work => ({ kind: "import", id });

test("what was begun is there after a reload, once, until its end was seen", () => {
  begun(work("imp_1"));
  begun(work("imp_2"));
  begun(work("imp_1"));
  works.set([]); // as a page that is loaded again begins
  openWorks("ses_1");
  expect(works.get().map(({ id }) => id)).toEqual(["imp_2", "imp_1"]);
  seen("imp_2");
  openWorks("ses_1");
  expect(works.get()).toEqual([work("imp_1")]);
});

test("another session has none of it, and nothing of it stays", () => {
  begun(work("imp_1"));
  openWorks("ses_2");
  expect([works.get(), stored.size]).toEqual([[], 0]);
  begun(work("imp_2"));
  forgetWorks();
  expect([works.get(), stored.size]).toEqual([[], 0]);
});

test("storage that is broken, or switched off, has nothing, and what is begun lasts as long as the page", () => {
  stored.set("waypost-works", "{");
  openWorks("ses_1");
  expect(works.get()).toEqual([]);
  vi.unstubAllGlobals();
  begun(work("imp_1"));
  expect(works.get()).toEqual([work("imp_1")]);
});

test("the oldest of too many are forgotten", () => {
  for (let index = 0; index < 25; index++) begun(work(`imp_${index}`));
  expect(works.get()).toHaveLength(20);
  expect(works.get()[0]).toEqual(work("imp_5"));
});
