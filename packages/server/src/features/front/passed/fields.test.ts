import { describe, expect, it } from "vitest";
import { chosenFields, type FieldRules, namesOfFields } from "./fields.ts";

const RULES: FieldRules = {
  id: {},
  name: {},
  preview: { modifiers: ["invalidate"] },
  metric: { modifiers: ["name", "since"] },
  health_status: { numbers: ["phone_number"] },
  application: { isOurs: true, fields: { id: {} } },
  whatsapp_business_account: { fields: { id: {}, name: {} } },
};
const chosen = (given: unknown) => chosenFields(given, RULES)?.text ?? null;

describe("fields that are passed on", () => {
  it.each([
    ["id,name", "id,name"],
    [" id , name ,", "id,name"],
    [["id", "name"], "id,name"],
    ['["id","preview.invalidate(false)"]', "id,preview.invalidate(false)"],
    ["metric.name(A_B).since(2026-01-01),id", "metric.name(A_B).since(2026-01-01),id"],
    ["whatsapp_business_account{id,name},id", "whatsapp_business_account{id,name},id"],
    ["whatsapp_business_account { id }", "whatsapp_business_account{id}"],
    ["whatsapp_business_account{}", "whatsapp_business_account"],
  ])("%j are %s", (given, text) => {
    expect(chosen(given)).toBe(text);
  });

  it("are those that a client of all fields asks for, but for what is of the gateway's app", () => {
    expect(chosen("id,application,name")).toBe("id,name");
    expect(chosen("application{id}")).toBeNull();
    expect(chosen("")).toBeNull();
  });

  it("name the phone numbers that they are about", () => {
    expect(chosenFields('health_status.phone_number("60001"),id', RULES)).toEqual({
      text: 'health_status.phone_number("60001"),id',
      numbers: ["60001"],
    });
  });

  it.each([
    ["another field", "owner_business", "owner_business"],
    ["another field of an object", "whatsapp_business_account{id,phone_numbers}", "phone_numbers"],
    ["fields of what leads nowhere", "id{name}", "name"],
    ["deeper than the rules", "whatsapp_business_account{id{id}}", "id"],
    ["another modifier", "preview.access_token(EAA)", "preview.access_token"],
    ["an alias", "name.as(id)", "name.as"],
    ["a modifier without a value", "preview.invalidate", "preview.invalidate"],
    ["a value with a bracket", "preview.invalidate(a(b))", "preview.invalidate"],
    ["a value with signs that end it", "preview.invalidate(a&access_token=b)", "preview.invalidate"],
    ["an object that does not end", "whatsapp_business_account{id", "fields"],
    ["an end without a beginning", "id}", "fields"],
    ["an encoded sign", "id%2Cname", "fields"],
    ["a name of every object", "__proto__", "__proto__"],
    ["a name of every function", "constructor", "constructor"],
    ["a number", 5, "fields"],
    ["a list of others", [{ id: 1 }], "fields"],
    ["broken JSON", '["id"', "fields"],
    ["too many", "id,".repeat(2_000), "fields"],
  ])("are refused with %s", (_what, given, named) => {
    expect(() => chosen(given)).toThrow(expect.objectContaining({ code: "invalid_request" }));
    expect(() => chosen(given)).toThrow(named);
  });
});

describe("who answers fields", () => {
  it.each([
    ["id,analytics.start(1).end(2).granularity(DAY)", ["id", "analytics"]],
    ["whatsapp_business_account{analytics},id", ["whatsapp_business_account", "id"]],
    [
      ['pricing_analytics.dimensions(["A","B"])', "id"],
      ["pricing_analytics", "id"],
    ],
    [undefined, []],
    [7, []],
  ])("%j", (given, names) => {
    expect(namesOfFields(given)).toEqual(names);
  });
});
