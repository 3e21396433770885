import { copyFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { elsewhere, ROOT } from "./packed.ts";
import { testShop } from "./shop.ts";

const SAMPLE = "examples/express";

testShop({
  page: SAMPLE,
  start: `npm start --prefix ${SAMPLE}`,
  async install() {
    const there = await elsewhere();
    for (const name of ["app.js", "package.json"]) await copyFile(join(ROOT, SAMPLE, name), join(there.folder, name));
    // As npm would install it; without a network there is only the one that tests of receivers use.
    await symlink(join(ROOT, "node_modules/express"), join(there.folder, "node_modules/express"));
    return { ...there, command: "node app.js" };
  },
});
