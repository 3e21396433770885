import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";
import { tooSlow } from "../bodies/slow-bodies.ts";

export type UploadLimits = {
  /** At once in this process; each has a file open and some buffers. */
  places: number;
  /** Of one workspace: more than the imports that it may have, and it leaves others a place. */
  placesOfOne: number;
  /** So many bytes must arrive within so long while there is room for them: a byte now and then would keep a place for an hour. */
  slowest: { bytes: number; withinMs: number };
};
const LIMITS: UploadLimits = { places: 100, placesOfOne: 30, slowest: { bytes: 256 * 1024, withinMs: 60_000 } };
/** Looks at the pace of a sender within `withinMs`. */
const LOOKS = 4;
/** A place may be free again by then. */
const AGAIN_SECONDS = 5;

/** The files that this process receives. */
export class Uploads {
  readonly #limits: UploadLimits;
  /** Workspaces of the places that are taken. */
  readonly #taken: string[] = [];

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** Takes a place until the returned function is called; throws the refusal. */
  begin(workspaceId: string): () => void {
    const { places, placesOfOne } = this.#limits;
    const retry = { retryAfterSeconds: AGAIN_SECONDS };
    const own = this.#taken.filter((one) => one === workspaceId).length;
    if (own >= placesOfOne)
      throw new Problem("rate_limited", `${own} files of this workspace are arriving: wait for one to be here.`, retry);
    if (this.#taken.length >= places)
      throw new Problem("unavailable", "Too many files are arriving; nothing was kept.", retry);
    this.#taken.push(workspaceId);
    return () => void this.#taken.splice(this.#taken.indexOf(workspaceId), 1);
  }

  /** Calls `end` once if the body arrives more slowly than it must; the returned function ends the watch. */
  watch(raw: IncomingMessage, end: (problem: Problem) => void): () => void {
    const { bytes, withinMs } = this.#limits.slowest;
    let before = raw.socket.bytesRead;
    let waited = 0;
    const look = (): void => {
      const now = raw.socket.bytesRead;
      // What is here and not read yet waits for us.
      if (raw.complete || raw.readableLength > 0 || now - before >= bytes) {
        before = now;
        waited = 0;
      } else if ((waited += 1) >= LOOKS) {
        stop();
        end(tooSlow(`The file arrives too slowly: ${bytes} bytes must come within ${withinMs / 1_000} s.`));
      }
    };
    const timer = setInterval(look, withinMs / LOOKS).unref();
    const stop = (): void => clearInterval(timer);
    return stop;
  }
}
