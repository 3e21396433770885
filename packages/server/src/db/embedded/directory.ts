import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./error.ts";

/**
 * As `mkdir -p`; true when the directory was created now. Level by level, because Node's own `recursive` never ends where the
 * parent exists and no directory can be created in it, as in `/proc`.
 */
export async function makeDirectories(path: string): Promise<boolean> {
  if (await isDirectory(path)) return false;
  if (dirname(path) !== path) await makeDirectories(dirname(path));
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    // Two starts at once: the other one created it.
    if (errorCode(error) === "EEXIST" && (await isDirectory(path))) return false;
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    },
  );
}
