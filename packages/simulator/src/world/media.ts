import { randomBytes } from "node:crypto";
import type { Spooled } from "../lib/spool.ts";

const MB = 1024 * 1024;
type Kind = "audio" | "image" | "sticker" | "video" | "document";
/** Bytes by the class of a type (documentation of media: supported types); a sticker's is that of an animated one. */
const TYPES: readonly { kind: Kind; types: readonly string[]; bytes: number }[] = [
  { kind: "audio", types: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"], bytes: 16 * MB },
  { kind: "image", types: ["image/jpeg", "image/png"], bytes: 5 * MB },
  { kind: "sticker", types: ["image/webp"], bytes: 500 * 1024 },
  { kind: "video", types: ["video/mp4", "video/3gpp"], bytes: 16 * MB },
  {
    kind: "document",
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

const DAY_MS = 24 * 3_600_000;
/** How long a file lives that was uploaded, one that a person sent, and an address (provider reference 5). */
const LIFE_MS = { upload: 30 * DAY_MS, person: 7 * DAY_MS } as const;
const ADDRESS_LIFE_MS = 5 * 60_000;
/** What all files together may take of the memory and of the disk; beyond it the oldest are forgotten. */
const HELD_BYTES = { memory: 128 * MB, disk: 1024 * MB };
/** Addresses that are remembered; each reading of a file makes one. */
const ADDRESSES = 20_000;

/** A file of a number: the business uploaded it, or a person sent it. */
export type Media = {
  id: string;
  phoneNumberId: string;
  wabaId: string;
  source: keyof typeof LIFE_MS;
  mimeType: string;
  content: Spooled;
  expiresAt: number;
};

/** The most bytes a file of this type may have, or undefined for a type that is not taken. */
export function mostBytes(mimeType: string): number | undefined {
  return TYPES.find(({ types }) => types.includes(mimeType))?.bytes;
}

/** Whether a file of this type can be sent as such an object. A document may be anything that is taken. */
export function isOfKind(mimeType: string, kind: string): boolean {
  if (kind === "document") return true;
  return TYPES.find(({ types }) => types.includes(mimeType))?.kind === (kind === "gif" ? "video" : kind);
}

/** The files of all numbers. Times in epoch milliseconds. */
export class MediaStore {
  readonly #media = new Map<string, Media>();
  readonly #addresses = new Map<string, { mediaId: string; until: number }>();
  readonly #held = { memory: 0, disk: 0 };

  /** Replaces a file of the same id. */
  add(input: Omit<Media, "expiresAt">, nowMs: number): Media {
    this.delete(input.id);
    const media = { ...input, expiresAt: nowMs + LIFE_MS[input.source] };
    this.#media.set(media.id, media);
    const place = placeOf(media);
    this.#held[place] += media.content.size;
    for (const oldest of this.#media.values()) {
      if (this.#held[place] <= HELD_BYTES[place]) break;
      if (oldest !== media && placeOf(oldest) === place) this.delete(oldest.id);
    }
    return media;
  }

  find(id: string, nowMs: number): Media | undefined {
    const media = this.#media.get(id);
    if (media !== undefined && media.expiresAt <= nowMs) this.delete(id);
    return this.#media.get(id);
  }

  /** Those that have not ended, the oldest first. */
  all(nowMs: number): Media[] {
    return [...this.#media.values()].filter(({ expiresAt }) => expiresAt > nowMs);
  }

  delete(id: string): void {
    const media = this.#media.get(id);
    if (media === undefined) return;
    this.#held[placeOf(media)] -= media.content.size;
    this.#media.delete(id);
    media.content.discard();
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
    for (const id of this.#media.keys()) this.delete(id);
    this.#addresses.clear();
  }
}

const placeOf = ({ content }: Media): "memory" | "disk" => (content.isInFile ? "disk" : "memory");
