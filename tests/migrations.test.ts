import { expect, it } from "vitest";
import { listOf, nextFile, readList, readMigrations } from "../scripts/migrations.mjs";

const FIRST = { file: "0001_installation.sql", text: "create table a ();" };
const SECOND = { file: "0002_workers.sql", text: "create table b ();" };
const LATER = { file: "0007_contacts.sql", text: "create table c ();" };
const LIST = listOf([FIRST, SECOND], "");

it("the list of migrations is that of the folder", () => {
  expect(listOf(readMigrations(), readList())).toBe(readList());
});

it("a new migration comes at the end, and gets the number after the highest that was ever given", () => {
  expect(LIST.split("\n").map((line) => line.split(" ")[0])).toEqual([FIRST.file, SECOND.file, ""]);
  expect(listOf([LATER, SECOND, FIRST], LIST).startsWith(`${LIST}${LATER.file} `)).toBe(true);
  expect(nextFile("reminders", [FIRST, LATER], LIST)).toBe("0008_reminders.sql");
  expect(nextFile("reminders", [FIRST], LIST)).toBe("0003_reminders.sql");
  expect(() => nextFile("Re-minders", [FIRST], LIST)).toThrow("small letters");
});

it.each([
  ["taken twice", [FIRST, SECOND, { file: "0002_reminders.sql", text: "" }], "0002_reminders.sql cannot come after"],
  [
    "below one that databases have",
    [FIRST, SECOND, LATER, { file: "0003_late.sql", text: "" }],
    "0003_late.sql cannot",
  ],
  ["used again for another", [FIRST, { file: "0002_owners.sql", text: SECOND.text }], "0002_workers.sql is gone"],
  ["of a file with another text", [FIRST, { ...SECOND, text: "create table d ();" }], "0002_workers.sql was changed"],
  ["without four digits", [FIRST, SECOND, { file: "3_late.sql", text: "" }], "3_late.sql is not named like"],
])("a number %s is refused", (_what, migrations, complaint) => {
  const list = migrations.includes(LATER) ? listOf([FIRST, SECOND, LATER], LIST) : LIST;
  expect(() => listOf(migrations, list)).toThrow(complaint);
});
