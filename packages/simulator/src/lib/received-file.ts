import type { Spooled } from "./spool.ts";

/** A file of a request. Its bytes are gone when the request has ended, unless they were kept. */
export class ReceivedFile {
  readonly content: Spooled;
  /** What its part says of it. */
  readonly mimeType: string;
  #isKept = false;

  constructor(content: Spooled, mimeType: string) {
    this.content = content;
    this.mimeType = mimeType;
  }

  /** The bytes, which the caller discards. */
  keep(): Spooled {
    this.#isKept = true;
    return this.content;
  }

  requestEnded(): void {
    if (!this.#isKept) this.content.discard();
  }
}
