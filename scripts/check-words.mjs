// `npm run check`: words of private English, in the texts and names that people read. They are those in bold in STYLE.md, and what
// stands beside them there is what to write instead.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

/** Where texts are. Released migrations, decisions and recorded callbacks stay as they were written; what is generated follows its source. */
const PLACES = ["packages", "docs", "bench", "examples", "faults", "scripts", "tests"];
const LEFT_OUT = /(^|\/)(node_modules|\.venv|dist|target|migrations|adr)$|\.test\.ts$|\.gen\.ts$|\/check-words\.mjs$/;
const READ = /\.(tsx?|mts|mjs|cjs|js|md|html|css|py)$/;

/** Words that are names, and where: the user that a PostgreSQL server may run as, a column. */
const NAMES = [
  ["packages/server/src/db/embedded/user.ts", '"nobody"'],
  ["packages/server/src/features/templates/", "told_unread"],
];

/** A row of the table has two pairs of cells: words, and what to write instead. */
function wordsOf(page) {
  return page.split("\n").flatMap((line) => {
    const [, first = "", instead = "", , second = "", other = ""] = line.split("|").map((cell) => cell.trim());
    return [
      [first, instead],
      [second, other],
    ].flatMap(([cell, text]) =>
      [...cell.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = ""]) => ({
        word,
        instead: text,
        pattern: new RegExp(patternOf(word)),
      })),
    );
  });
}

/** The word or its plural, alone or as a part of a name in any spelling; not inside a longer word. */
function patternOf(word) {
  const capital = word[0].toUpperCase() + word.slice(1);
  const alone = [word, capital, word.toUpperCase()].join("|");
  return `(?<![A-Za-z])(?:${alone})s?(?![a-z])|(?<=[a-z])${capital}s?(?![a-z])`;
}

function* filesIn(path) {
  for (const name of readdirSync(join(ROOT, path)).toSorted()) {
    const file = `${path}/${name}`;
    if (LEFT_OUT.test(file)) continue;
    if (statSync(join(ROOT, file)).isDirectory()) yield* filesIn(file);
    else if (READ.test(name)) yield file;
  }
}

function faultsOf(file) {
  const content = readFileSync(join(ROOT, file), "utf8");
  if (!any.test(content) && !any.test(file)) return [];
  const names = NAMES.filter(([where]) => file.startsWith(where)).map(([, name]) => name);
  return [file, ...content.split("\n")].flatMap((line, number) => {
    const text = names.reduce((rest, name) => rest.replaceAll(name, ""), line);
    return words
      .filter(({ pattern }) => pattern.test(text))
      .map(({ word, instead }) => `${file}:${number === 0 ? "name" : number}: "${word}": write ${instead}`);
  });
}

const words = wordsOf(readFileSync(join(ROOT, "STYLE.md"), "utf8"));
if (words.length < 10) throw new Error("the table of words in STYLE.md cannot be read");
const any = new RegExp(words.map(({ word }) => patternOf(word)).join("|"));
const pages = readdirSync(ROOT).filter((name) => name.endsWith(".md") && name !== "STYLE.md");
const found = [...pages, ...PLACES.flatMap((place) => [...filesIn(place)])].flatMap(faultsOf);
for (const line of found) console.log(line);
if (found.length > 0) console.log("Rewrite the sentence, not the word: STYLE.md, Words.");
process.exitCode = found.length > 0 ? 1 : 0;
