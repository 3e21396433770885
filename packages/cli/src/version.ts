import { readFileSync } from "node:fs";

type Package = { version: string };

/** Of this command line, and of the gateway that it runs. Read from the package, as loading the gateway takes most of a second. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as Package; // our own
