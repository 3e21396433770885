import { expect, test } from "vitest";
import { attributeOf, columnsFaultOf, guessOf, mappingOf, targetOf } from "./columns.ts";

const columnsOf = (...names: string[]) => names.map((name, index) => ({ name, index }));

test("columns are guessed by their names", () => {
  const given = ["Mobile", "E-Mail", "Full name", "name", "attributes.city", "Opt-in", "City"];
  expect(given.map(guessOf)).toEqual(["phone", "email", "name", "name", "attributes.city", "marketing_consent", ""]);
  expect(attributeOf("Order count (2026)")).toBe("attributes.Order_count_2026_");
});

test("the mapping names columns as the file does, and by place where that is not one column", () => {
  const chosen = ["phone", "attributes.city", "", ""];
  expect(JSON.parse(mappingOf(columnsOf("Mobile", "City", "City", ""), chosen))).toEqual({
    Mobile: "phone",
    "#2": "attributes.city",
    "#3": null,
    "#4": null,
  });
});

test("what is chosen is what cells are read as", () => {
  expect(["", "phone", "attributes", "attributes.city", "attributes.orders:number"].map(targetOf)).toEqual([
    null,
    { field: "phone" },
    { field: "attributes" },
    { field: "attribute", name: "city", type: "text" },
    { field: "attribute", name: "orders", type: "number" },
  ]);
});

test("a file needs a column that says who a row is about, and one name for a field", () => {
  const faultOf = (names: string[], chosen: string[]) => columnsFaultOf(columnsOf(...names), chosen.map(targetOf));
  expect(faultOf(["a", "b"], ["name", ""])).toEqual({ kind: "noPhone" });
  expect(faultOf(["a", "b"], ["id", "name"])).toBeNull();
  expect(faultOf(["a", "b", "c"], ["phone", "name", "name"])).toEqual({ kind: "twice", names: ["b", "c"] });
  expect(faultOf(["a", "b", "b"], ["phone", "name", "name"])).toBeNull();
});
