import { expect, test } from "vitest";
import { askedOf, conversationsSearch } from "./search.ts";
import { loadsItself, shownAs } from "./shown-as.ts";

test("what the address narrows is what the API is asked for", () => {
  expect(askedOf(conversationsSearch({ filter: "unread", number: "num_1", q: "An", cursor: "c" }))).toEqual({
    phone_number_id: "num_1",
    unread: true,
    cursor: "c",
  });
  expect(askedOf({ filter: "closed", q: "Ana" })).toEqual({ window: "closed", q: "Ana" });
  expect(conversationsSearch({ filter: "all" })).toEqual({});
});

test("pictures that could run scripts, and documents, are never shown in the page", () => {
  expect([shownAs("image/png"), shownAs("video/mp4"), shownAs("audio/ogg; codecs=opus")]).toEqual([
    "image",
    "video",
    "audio",
  ]);
  for (const type of ["image/svg+xml", "text/html", "application/xhtml+xml", "application/pdf", null])
    expect(shownAs(type)).toBeNull();
});

test("pictures load by themselves, and neither large ones nor any other file", () => {
  expect(loadsItself({ mime_type: "image/webp", size: 5 * 1024 * 1024 })).toBe(true);
  expect(loadsItself({ mime_type: "image/png", size: 5 * 1024 * 1024 + 1 })).toBe(false);
  expect(loadsItself({ mime_type: "image/svg+xml", size: 100 })).toBe(false);
  expect(loadsItself({ mime_type: "video/mp4", size: 100 })).toBe(false);
});
