import { expect, test } from "vitest";
import { attributeOf, guessOf, headOf, mappingOf } from "./csv-head.ts";

test("columns and whole rows of a beginning are read, whatever stands between cells", () => {
  expect(headOf('\uFEFFPhone;Full name\r\n+1555;"A; ""b""\nc"\r\n\r\n+15', false)).toEqual({
    columns: [
      { name: "Phone", index: 0 },
      { name: "Full name", index: 1 },
    ],
    rows: [["+1555", 'A; "b"\nc']],
  });
  expect(headOf("sep=|\na|b,c\n1|2", true)).toMatchObject({
    columns: [{ name: "a" }, { name: "b,c" }],
    rows: [["1", "2"]],
  });
  for (const nothing of ["", "\n", ",,\n"]) expect(headOf(nothing, true)).toBeNull();
});

test("columns are guessed by their names", () => {
  const given = ["Mobile", "E-Mail", "Full name", "name", "attributes.city", "Opt-in", "City"];
  expect(given.map(guessOf)).toEqual(["phone", "email", "name", "name", "attributes.city", "marketing_consent", ""]);
  expect(attributeOf("Order count (2026)")).toBe("attributes.Order_count_2026_");
});

test("the mapping names columns as the file does, and by place where that is not one column", () => {
  const columns = ["Mobile", "City", "City", ""].map((name, index) => ({ name, index }));
  expect(JSON.parse(mappingOf(columns, (index) => ["phone", "attributes.city", "", ""][index] ?? ""))).toEqual({
    Mobile: "phone",
    "#2": "attributes.city",
    "#3": null,
    "#4": null,
  });
});
