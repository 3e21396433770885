import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config/config.ts";

/** The API key of the demo workspace, as `npm start` wrote it to `dev.json`; null before that, and where the file is another one. */
export async function readDemoKey({ WAYPOST_DATA_DIR }: Config): Promise<string | null> {
  try {
    const { api_key } = JSON.parse(await readFile(join(WAYPOST_DATA_DIR, "dev.json"), "utf8")) as { api_key?: unknown };
    return typeof api_key === "string" ? api_key : null;
  } catch {
    return null;
  }
}
