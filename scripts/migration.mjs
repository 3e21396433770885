// `npm run -s migration -- <name>`: makes an empty migration with the next number, and prints its path.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER, nextFile, readList, readMigrations } from "./migrations.mjs";
import { ROOT, runMain } from "./run.mjs";

await runMain(async () => {
  const [name, ...others] = process.argv.slice(2);
  if (name === undefined || others.length > 0) throw new Error("npm run -s migration -- <name>, such as reminders");
  const path = `${FOLDER}/${nextFile(name, readMigrations(), readList())}`;
  writeFileSync(join(ROOT, path), "", { flag: "wx" });
  console.log(path);
});
