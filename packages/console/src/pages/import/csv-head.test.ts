import { expect, test } from "vitest";
import { headOf } from "./csv-head.ts";

test("columns and whole rows of a beginning are read, whatever stands between cells", () => {
  expect(headOf('\uFEFFPhone;Full name\r\n+1555;"A; ""b""\nc"\r\n\r\n+15', false)).toEqual({
    columns: [
      { name: "Phone", index: 0 },
      { name: "Full name", index: 1 },
    ],
    rows: [{ cells: ["+1555", 'A; "b"\nc'], line: 2 }],
  });
  expect(headOf("sep=|\na|b,c\n1|2\n\n3|4", true)).toMatchObject({
    columns: [{ name: "a" }, { name: "b,c" }],
    rows: [
      { cells: ["1", "2"], line: 3 },
      { cells: ["3", "4"], line: 5 },
    ],
  });
  expect(headOf('"a;b",c\r"x" y,2\r', true)).toMatchObject({
    columns: [{ name: "a;b" }, { name: "c" }],
    rows: [{ cells: ['"x" y', "2"], line: 2 }],
  });
  for (const nothing of ["", "\n", ",,\n"]) expect(headOf(nothing, true)).toBeNull();
});

test("so many rows are read as are shown, and columns without a name count where something is in them", () => {
  expect(headOf("a,b\n1,2\n3,4\n5,6\n", true, 2)?.rows).toHaveLength(2);
  expect(headOf("a,b,,\n1,2,,\n", true)?.columns).toHaveLength(2);
  expect(headOf("a,b,,\n1,2,x,\n", true)?.columns).toHaveLength(3);
});
