import { createHash, randomBytes } from "node:crypto";

/** Bytes by the class of a type (documentation of media: supported types); a sticker's is that of an animated one. */
const MB = 1024 * 1024;
const TYPES: readonly { types: readonly string[]; bytes: number }[] = [
  { types: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"], bytes: 16 * MB },
  { types: ["image/jpeg", "image/png"], bytes: 5 * MB },
  { types: ["image/webp"], bytes: 500 * 1024 },
  { types: ["video/mp4", "video/3gpp"], bytes: 16 * MB },
  {
    types: [
      "text/plain",
      "application/pdf",
      "application/msword",
      "application/vnd.ms-excel",
      "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ],
    bytes: 100 * MB,
  },
];
export const MEDIA_TYPES: readonly string[] = TYPES.flatMap(({ types }) => types);

/** An uploaded file lives 30 days, its address 5 minutes (provider reference 5). */
const MEDIA_LIFE_MS = 30 * 24 * 3_600_000;
const ADDRESS_LIFE_MS = 5 * 60_000;
/** What all uploads together may take of the memory; beyond it the oldest are forgotten. */
const HELD_BYTES = 256 * MB;
/** Addresses that are remembered; each reading of a file makes one. */
const ADDRESSES = 10_000;

export type Media = {
  id: string;
  phoneNumberId: string;
  wabaId: string;
  mimeType: string;
  bytes: Buffer;
  sha256: string;
  expiresAt: number;
};

/** The most bytes a file of this type may have, or undefined for a type that is not taken. */
export function mostBytes(mimeType: string): number | undefined {
  return TYPES.find(({ types }) => types.includes(mimeType))?.bytes;
}

/** Uploaded files, in memory. Times in epoch milliseconds. */
export class MediaStore {
  readonly #media = new Map<string, Media>();
  readonly #addresses = new Map<string, { mediaId: string; until: number }>();
  #held = 0;

  add(input: Pick<Media, "id" | "phoneNumberId" | "wabaId" | "mimeType" | "bytes">, nowMs: number): Media {
    const sha256 = createHash("sha256").update(input.bytes).digest("hex");
    const media = { ...input, sha256, expiresAt: nowMs + MEDIA_LIFE_MS };
    this.#media.set(media.id, media);
    this.#held += media.bytes.length;
    for (const oldest of this.#media.values()) {
      if (this.#held <= HELD_BYTES) break;
      if (oldest !== media) this.delete(oldest.id);
    }
    return media;
  }

  find(id: string, nowMs: number): Media | undefined {
    const media = this.#media.get(id);
    if (media !== undefined && media.expiresAt <= nowMs) this.delete(id);
    return this.#media.get(id);
  }

  delete(id: string): void {
    this.#held -= this.#media.get(id)?.bytes.length ?? 0;
    this.#media.delete(id);
  }

  /** A new address of the file, the part that is secret. */
  address(media: Media, nowMs: number): string {
    const oldest = this.#addresses.keys().next();
    if (this.#addresses.size >= ADDRESSES && oldest.done !== true) this.#addresses.delete(oldest.value);
    const hash = randomBytes(18).toString("base64url");
    this.#addresses.set(hash, { mediaId: media.id, until: nowMs + ADDRESS_LIFE_MS });
    return hash;
  }

  /** The file at an address, or undefined when the address has ended or the file is gone. */
  at(hash: string, nowMs: number): Media | undefined {
    const address = this.#addresses.get(hash);
    return address === undefined || address.until <= nowMs ? undefined : this.find(address.mediaId, nowMs);
  }

  clear(): void {
    this.#media.clear();
    this.#addresses.clear();
    this.#held = 0;
  }
}
