import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FIELDS, KINDS } from "../packages/console/src/api/event-kinds.ts";

const document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));
const { events, fields } = document.components.schemas.NewWebhookEndpoint.properties;

test("every kind of event and every field that the API takes has its place in the form, once", () => {
  expect(["*", ...Object.values(KINDS).flat()].sort()).toEqual([...events.items.enum].sort());
  expect(Object.values(FIELDS).flat().sort()).toEqual([...fields.items.enum].sort());
});
