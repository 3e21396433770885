import type { Readable } from "node:stream";
import { spool } from "../lib/spool.ts";
import { addPersonsFile } from "../simulation/files.ts";
import { numberBy } from "../simulation/objects.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import type { Media } from "../world/media.ts";
import { Reports } from "./reports.ts";

/** The largest file that a person can send (provider reference 5). */
const MOST_BYTES = 100 * 1024 * 1024;

/** A file that a person is about to send to a number; `mime_type` may have parameters, as `audio/ogg; codecs=opus`. */
export type FileInput = { phone_number_id: string; mime_type: string; id?: string };

/** `sha256` in base64, as callbacks have it. */
export type FileEntry = {
  id: string;
  phone_number_id: string;
  source: "upload" | "person";
  mime_type: string;
  sha256: string;
  file_size: number;
  expires_at: string;
};

/** What a test may do to files. */
export class Files extends Reports {
  readonly #sim: Simulation;

  constructor(sim: Simulation) {
    super(sim);
    this.#sim = sim;
  }

  /** Puts a file in its place, so that `inbound` can send it by its `id`; an id that is there already is replaced. */
  async addFile(input: FileInput, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<FileEntry> {
    const number = numberBy(this.#sim, input.phone_number_id);
    const content = await spool(bytes instanceof Uint8Array ? [bytes] : bytes, MOST_BYTES);
    if (content.size === 0 || content.size > MOST_BYTES) {
      content.discard();
      throw new ControlError(400, `a file has 1 to ${MOST_BYTES} bytes`);
    }
    const { id, mime_type: mimeType } = input;
    return shown(addPersonsFile(this.#sim, number, { id, mimeType, content }));
  }

  /** The files that are there, uploaded or sent by people, the oldest first. */
  files(): FileEntry[] {
    const { media, clock } = this.#sim;
    return media.all(clock.nowMs()).map(shown);
  }

  /** The bytes of a file, and the type that it was put there with. */
  fileContent(id: string): { mime_type: string; file_size: number; content: Readable } {
    const { media, clock } = this.#sim;
    const file = media.find(id, clock.nowMs());
    if (file === undefined) throw new ControlError(404, `no file ${id}`);
    return { mime_type: file.mimeType, file_size: file.content.size, content: file.content.read() };
  }

  /** Ends the life of a file now, as its 30 or 7 days would. */
  expireFile(id: string): void {
    const { media, clock } = this.#sim;
    if (media.find(id, clock.nowMs()) === undefined) throw new ControlError(404, `no file ${id}`);
    media.delete(id);
  }
}

const shown = ({ id, phoneNumberId, source, mimeType, content, expiresAt }: Media): FileEntry => ({
  id,
  phone_number_id: phoneNumberId,
  source,
  mime_type: mimeType,
  sha256: content.sha256.toString("base64"),
  file_size: content.size,
  expires_at: new Date(expiresAt).toISOString(),
});
