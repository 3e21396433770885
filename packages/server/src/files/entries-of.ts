import { readdir } from "node:fs/promises";
import { codeOf } from "./write-file.ts";

/** What a folder has; nothing where there is none. */
export async function entriesOf(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}
