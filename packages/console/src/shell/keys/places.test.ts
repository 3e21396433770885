import { expect, test } from "vitest";
import { paths } from "../../paths.ts";
import { timeOfId } from "./by-id.ts";
import { placesFor } from "./places.ts";

const REST = "01jd0000000000000000000000";
const session = { kind: "workspace", workspace: { id: `ws_${REST}`, name: "Acme" } } as const;
const operator = { kind: "operator", workspace: null } as const;
const linksFor = (given: string, who: Parameters<typeof placesFor>[2] = session) =>
  placesFor(given, [], who).map(({ link }) => link);

test("an id leads to its page first, as it is copied from JSON too", () => {
  expect(linksFor(` "msg_${REST}",`)).toEqual([paths.message(`msg_${REST}`)]);
  expect(linksFor(`con_${REST}`)[0]).toEqual(paths.contact(`con_${REST}`));
  expect(linksFor(`evt_${REST}`)).toEqual([paths.events({ open: `evt_${REST}` })]);
  expect(linksFor(`rpl_${REST}`)).toEqual([paths.activity({ resource: `rpl_${REST}` })]);
});

test("what is the operator's leads where the operator may go, and a workspace to its own settings alone", () => {
  expect(linksFor(`ws_${REST}`, operator)).toEqual([paths.workspace(`ws_${REST}`)]);
  expect(linksFor(`msg_${REST}`, operator)).toEqual([]);
  expect(linksFor(`ws_${REST}`)).toEqual([paths.settings()]);
  expect(linksFor(`ws_${REST.replace("1", "2")}`)).toEqual([]);
});

test("a number leads to its messages and its contact, the provider's ids to what has them", () => {
  const links = [paths.messages({ to: "+15551230001" }), paths.contacts({ phone: "+15551230001" })];
  expect(linksFor("+1 555 123 0001")).toEqual(links);
  expect(linksFor("wamid.HBgLMTU1")).toEqual([paths.messages({ provider_message_id: "wamid.HBgLMTU1" })]);
  const template = { name: "Template order_ready", link: paths.template(`tpl_${REST}`) };
  expect(placesFor("123456789012345", [], session, new Map([["123456789012345", [template]]]))[0]).toEqual(template);
});

test("an id has the time at which a list of calls has it", () => {
  expect(new Date(timeOfId("aud_01m8b1v8nje1w8yvz2rqxgkcf0")).getUTCFullYear()).toBe(2026);
});

test("what is no id leads nowhere", () => {
  for (const given of ["msg_", `xyz_${REST}`, `msg_8${REST.slice(1)}`, `msg_${REST}0`, "hello"])
    expect([given, linksFor(given)]).toEqual([given, []]);
});
