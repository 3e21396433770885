import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FIELDS, KINDS } from "../packages/console/src/api/event-kinds.ts";
import { TAGS } from "../packages/console/src/text/languages.ts";
import { CATALOGUES } from "./console/named.ts";

const document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));
const { events, fields } = document.components.schemas.NewWebhookEndpoint.properties;

test("every kind of event and every field that the API takes has its place in the form, once", () => {
  expect(["*", ...Object.values(KINDS).flat()].sort()).toEqual([...events.items.enum].sort());
  expect(Object.values(FIELDS).flat().sort()).toEqual([...fields.items.enum].sort());
});

test.each(TAGS)("every kind of event that the API sends has a name of its own in %s", async (tag) => {
  const { kinds } = await CATALOGUES[tag]();
  expect(Object.keys(kinds).sort()).toEqual(Object.keys(document.webhooks).sort());
  expect(new Set(Object.values(kinds)).size).toBe(Object.keys(kinds).length);
});
