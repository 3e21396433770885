// The migrations in the order of their numbers, as `packages/server/migrations.txt` lists them: each with the digest of its text.
// Others' databases have what is listed, so a number is given once, and a listed file never changes.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

export const FOLDER = "packages/server/migrations";
export const LIST = "packages/server/migrations.txt";
const NAME = /^(\d{4})_([a-z][a-z0-9_]*)\.sql$/;
const AGAIN = "`npm run migration` gives the next number";

/** The files of the folder, each with its text: `[{file, text}]`. */
export function readMigrations() {
  const folder = join(ROOT, FOLDER);
  return readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
}

export function readList() {
  const path = join(ROOT, LIST);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** The list with the files that it lacks at its end. Throws, in one line for each fault, when a number or a text cannot be right. */
export function listOf(migrations, list) {
  const listed = list.split("\n").filter((line) => line !== "");
  const digestOf = new Map(listed.map((line) => line.split(" ")));
  const added = migrations
    .filter(({ file }) => !digestOf.has(file))
    .sort((one, other) => (one.file < other.file ? -1 : 1));
  const lines = [...listed, ...added.map(({ file, text }) => `${file} ${digest(text)}`)];
  const faults = [...changed(migrations, digestOf), ...misnumbered(lines.map((line) => line.split(" ")[0]))];
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return lines.map((line) => `${line}\n`).join("");
}

/** Listed ones that are not what they were. */
function changed(migrations, digestOf) {
  const textOf = new Map(migrations.map(({ file, text }) => [file, text]));
  const mend = `if no other database can have it, take its line out of ${LIST}, else write a new migration`;
  return [...digestOf].flatMap(([file, known]) => {
    const text = textOf.get(file);
    if (text === undefined) return [`${FOLDER}/${file} is gone: ${mend}`];
    return digest(text) === known ? [] : [`${FOLDER}/${file} was changed after it was listed: ${mend}`];
  });
}

/** Names in the order in which databases get them. */
function misnumbered(files) {
  return files.flatMap((file, index) => {
    const number = NAME.exec(file)?.[1];
    if (number === undefined) return [`${FOLDER}/${file} is not named like 0042_reminders.sql`];
    const before = files.slice(0, index).find((other) => other.slice(0, 4) >= number);
    if (before === undefined) return [];
    return [`${FOLDER}/${file} cannot come after ${before}, which databases have already: ${AGAIN}`];
  });
}

/** The file name of the next migration. */
export function nextFile(name, migrations, list) {
  if (!NAME.test(`0000_${name}.sql`))
    throw new Error(`a migration's name has small letters, digits and _, not ${name}`);
  const files = [...migrations.map(({ file }) => file), ...list.split("\n")];
  const last = Math.max(...files.map((file) => Number(NAME.exec(file.split(" ")[0])?.[1] ?? 0)));
  return `${String(last + 1).padStart(4, "0")}_${name}.sql`;
}

const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);
