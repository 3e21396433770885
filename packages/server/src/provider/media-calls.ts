import type { Readable } from "node:stream";
import type { Access, CallResult } from "./call-result.ts";
import type { Sample } from "./template-calls.ts";

/** Calls about files of messages (Cloud API documentation, media). A file is of one phone number. */
export type MediaCalls = {
  /** Uploads a file, from which messages of the number can be sent for some weeks; answers its id. Repeated, it has another one. */
  uploadMedia(request: Access & { providerPhoneNumberId: string; file: Sample }): Promise<CallResult<string>>;
  /** Where the bytes of a file are for the next minutes. */
  findMedia(request: MediaRequest): Promise<CallResult<ProviderMedia>>;
  /**
   * Begins to read the bytes at an address. The caller reads `content` to its end or destroys it; it throws `MediaBroken`. An error with
   * the HTTP status 404 says that the address has ended.
   */
  openMedia(request: Access & { address: string }): Promise<CallResult<MediaContent>>;
};

type MediaRequest = Access & { providerPhoneNumberId: string; providerMediaId: string };

/** What the provider says of a file; null where it says nothing. `sha256` in hex. */
export type ProviderMedia = { address: string; mimeType: string | null; bytes: number | null; sha256: string | null };

/** `bytes`: how many there will be, where that was said. Until `content` has ended or is destroyed, it has a connection. */
export type MediaContent = { bytes: number | null; content: Readable };

/** The bytes of a file broke off, or came too slowly. The text names no address. */
export class MediaBroken extends Error {
  override readonly name = "MediaBroken";
}
