import { readFile, statfs } from "node:fs/promises";
import { freemem } from "node:os";

const FOLDER = "/dev/shm";
/** All tests together keep 0.4 GiB at most; more, because other programs may need memory meanwhile. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * A folder in memory for the files of tests, null where Linux has none with room whose programs may be run: tests copy
 * servers of PostgreSQL. On a disk, creating clusters and databases takes a quarter of the time of all tests.
 */
export async function memoryDisk() {
  try {
    const mounts = await readFile("/proc/mounts", "utf8");
    const [, options] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts) ?? [];
    if (options === undefined || /\b(ro|noexec)\b/.test(options)) return null;
    const { bavail, bsize } = await statfs(FOLDER);
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES ? FOLDER : null;
  } catch {
    return null;
  }
}
