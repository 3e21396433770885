import type { App } from "../../ctx.ts";
import { FileMissing } from "../../files/file-store.ts";
import { pause } from "../../lib/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/duration.ts";
import type { CallResult, ProviderError } from "../../provider/provider.ts";
import type { LaneSender, Senders } from "../accounts/numbers/senders.ts";
import { findMedia, type KnownMedia } from "./media.ts";
import type { MediaFiles } from "./media-files.ts";
import { extensionsOf } from "./media-types.ts";
import {
  type AtProviderRow,
  forgetAllProviderIdRows,
  forgetProviderIdRows,
  leaseUploadRow,
  type Place,
  selectAtProviderRow,
  type UploadEnd,
  updateUploadedRow,
} from "./sending/at-provider.store.ts";

/** The provider keeps an uploaded file for 30 days (Cloud API documentation, media). */
const KEPT_MS = 29 * DAY_MS;
/** A message waits for so long, from the beginning of an upload: most have ended by then, and others of its number go on after that. */
const PATIENCE_MS = 2_000;
/** Until a message asks again that has not waited, for an upload that is under way here or in another process. */
const ASK_AGAIN_MS = { least: 2_000, most: 15_000 };
/** Uploads at once: each reads a file as fast as the provider takes it. */
const MOST_AT_ONCE = 16;
const MOST_OF_NUMBER = 4;
/** As long as the call may take, and as it takes to store its end. After a kill no other process uploads before that. */
const LEASE = { leastMs: 60_000, bytesPerMs: 256 };
/** After a failure that passes: 2 s, 4 s … 5 min. */
const BACKOFF = { firstMs: 2_000, mostMs: 5 * MINUTE_MS };
/** A file that was refused is not uploaded again for so long: every message with it fails with what was said. */
const REFUSED_FOR_MS = 10 * MINUTE_MS;
/** A store that is away is asked again after so long. */
const STORE_AGAIN_MS = 30_000;
/** An id that is younger than this was uploaded for this attempt or for one beside it: another upload would help no more. */
const FRESH_MS = 60_000;

/**
 * Whether the media of a message are at the provider. `later`: not yet, ask again at `at`. `refused`: the
 * provider does not take a file, or it is lost here.
 */
export type MediaReady = { kind: "ready" } | { kind: "later"; at: number } | { kind: "refused"; error: ProviderError };

type Upload = { begunAt: number; ended: Promise<MediaReady> };

/**
 * Uploads media to the provider when they are first sent from a number, and again when the provider has forgotten them: once, however many
 * messages wait for it. No message holds its place for longer than `PATIENCE_MS` meanwhile.
 */
export class ProviderUploads {
  readonly #app: App;
  readonly #files: MediaFiles;
  readonly #senders: Senders;
  /** By number and media. */
  readonly #running = new Map<string, Upload>();
  readonly #stopped = new AbortController();

  constructor(app: App, { files, senders }: { files: MediaFiles; senders: Senders }) {
    this.#app = app;
    this.#files = files;
    this.#senders = senders;
  }

  /** Uploads what of these media has no id for the number; resolves soon, whether or not that has ended. Never rejects for the provider. */
  async ready(sender: LaneSender, mediaIds: readonly string[]): Promise<MediaReady> {
    const all = await Promise.all(mediaIds.map((mediaId) => this.#readyOne(sender, mediaId)));
    const refused = all.find(({ kind }) => kind === "refused");
    if (refused !== undefined) return refused;
    const later = all.filter((one) => one.kind === "later");
    return later.toSorted((a, b) => b.at - a.at)[0] ?? { kind: "ready" };
  }

  /**
   * The provider does not know ids that a message named. True: they are uploaded again when it is next begun. False: they were uploaded a
   * moment ago, and it is something else that it does not take.
   */
  async forget(sender: LaneSender, used: Readonly<Record<string, string>>): Promise<boolean> {
    const { workspaceId, phoneNumberId } = sender;
    const before = new Date(this.#app.clock.now() - FRESH_MS);
    return (
      (await this.#app.db.transaction(workspaceId, (sql) =>
        forgetProviderIdRows(sql, workspaceId, { used, phoneNumberId, before }),
      )) > 0
    );
  }

  /** The same of whatever ids these media have, where a message with them failed later: whether a file was the reason is not known. */
  async forgetAll(of: Pick<LaneSender, "workspaceId" | "phoneNumberId">, mediaIds: readonly string[]): Promise<void> {
    const { workspaceId, phoneNumberId } = of;
    const before = new Date(this.#app.clock.now() - FRESH_MS);
    await this.#app.db.transaction(workspaceId, (sql) =>
      forgetAllProviderIdRows(sql, workspaceId, { mediaIds, phoneNumberId, before }),
    );
  }

  async #readyOne(sender: LaneSender, mediaId: string): Promise<MediaReady> {
    const key = `${sender.phoneNumberId} ${mediaId}`;
    const running = this.#running.get(key) ?? this.#begin(key, sender, mediaId);
    if (running === null) return this.#later(ASK_AGAIN_MS.least);
    const elapsed = this.#app.clock.monotonic() - running.begunAt;
    if (elapsed >= PATIENCE_MS) return this.#later(elapsed);
    const over = new AbortController();
    const waited = pause(this.#app.clock, PATIENCE_MS - elapsed, over.signal).then(() => this.#later(PATIENCE_MS));
    try {
      return await Promise.race([running.ended, waited]);
    } finally {
      over.abort();
    }
  }

  /** Null where as many are running as may. */
  #begin(key: string, sender: LaneSender, mediaId: string): Upload | null {
    const ofNumber = [...this.#running.keys()].filter((one) => one.startsWith(`${sender.phoneNumberId} `)).length;
    if (this.#running.size >= MOST_AT_ONCE || ofNumber >= MOST_OF_NUMBER) return null;
    const ended = this.#run(sender, { mediaId, phoneNumberId: sender.phoneNumberId }).finally(() =>
      this.#running.delete(key),
    );
    const upload = { begunAt: this.#app.clock.monotonic(), ended };
    this.#running.set(key, upload);
    return upload;
  }

  async #run(sender: LaneSender, place: Place): Promise<MediaReady> {
    try {
      return await this.#upload(sender, place);
    } catch (error) {
      const { log } = this.#app;
      log.warn(
        { err: error, ...idsOf(sender, place) },
        "media could not be uploaded to the provider; it is tried again",
      );
      return this.#later(STORE_AGAIN_MS);
    }
  }

  async #upload(sender: LaneSender, place: Place): Promise<MediaReady> {
    const { db, clock } = this.#app;
    const { workspaceId } = sender;
    const media = await db.read(
      workspaceId,
      async (sql) => (await findMedia(sql, workspaceId, [place.mediaId], null))[0],
    );
    // Gone meanwhile: the next beginning of the message says so.
    if (media?.fileId == null) return { kind: "ready" };
    const now = clock.now();
    const until = new Date(now + LEASE.leastMs + Math.ceil((media.size ?? 0) / LEASE.bytesPerMs));
    const lease = await db.transaction(workspaceId, (sql) =>
      leaseUploadRow(sql, workspaceId, place, { now: new Date(now), until }),
    );
    if (lease === null) return await this.#others(workspaceId, place);
    if (isKnown(lease, now)) {
      await this.#store(workspaceId, place, { error: null, again: new Date(now), failed: false });
      return { kind: "ready" };
    }
    const began = clock.monotonic();
    let answer: CallResult<string>;
    try {
      answer = await this.#send(sender, place, { ...media, fileId: media.fileId });
    } catch (error) {
      const again = new Date(clock.now() + STORE_AGAIN_MS);
      await this.#store(workspaceId, place, { error: null, again, failed: true });
      throw error;
    }
    this.#app.log.info(
      {
        ...idsOf(sender, place),
        bytes: media.size,
        outcome: answer.ok ? "uploaded" : answer.error.code,
        provider_code: answer.ok ? undefined : answer.error.provider?.code,
        ms: Math.round(clock.monotonic() - began),
      },
      "media upload",
    );
    return await this.#end(sender, place, lease, answer);
  }

  async #send(sender: LaneSender, place: Place, media: KnownMedia & { fileId: string }): Promise<CallResult<string>> {
    const accessToken = await this.#senders.accessToken(sender);
    if (accessToken === null) return { ok: false, error: DISCONNECTED };
    const mimeType = media.mimeType ?? "application/octet-stream";
    try {
      const bytes = media.size ?? 0;
      const content = await this.#files.open(sender.workspaceId, media.fileId, { start: 0, end: bytes - 1 });
      // Voice messages of people have a codec behind it.
      const name = `file.${extensionsOf(mimeType.replace(/;.*/, ""))[0] ?? "bin"}`;
      const file = { name, type: mimeType, bytes, content };
      const { providerPhoneNumberId } = sender;
      const { signal } = this.#stopped;
      return await this.#app.provider.uploadMedia({ accessToken, providerPhoneNumberId, file, signal });
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      this.#app.log.error({ err: error, ...idsOf(sender, place) }, "the file of a media is not in the store");
      return { ok: false, error: LOST };
    }
  }

  async #end(sender: LaneSender, place: Place, lease: AtProviderRow, answer: CallResult<string>): Promise<MediaReady> {
    const { workspaceId } = sender;
    const now = this.#app.clock.now();
    if (answer.ok) {
      const expiresAt = new Date(now + KEPT_MS);
      await this.#store(workspaceId, place, { providerMediaId: answer.value, uploadedAt: new Date(now), expiresAt });
      return { kind: "ready" };
    }
    const { error } = answer;
    if (this.#stopped.signal.aborted) {
      await this.#store(workspaceId, place, { error: null, again: new Date(now), failed: false });
      return this.#later(0);
    }
    if (isOfFile(error)) {
      const refused = { ...error, code: "media_failed" } as const;
      await this.#store(workspaceId, place, { error: refused, again: new Date(now + REFUSED_FOR_MS), failed: true });
      return { kind: "refused", error: refused };
    }
    if (OF_ACCOUNT.has(error.class)) this.#senders.reportAccountTrouble(sender, error);
    const pauseMs = Math.max(
      error.retryAfterMs ?? 0,
      Math.min(BACKOFF.mostMs, BACKOFF.firstMs * 2 ** Math.min(lease.attempts, 20)),
    );
    await this.#store(workspaceId, place, { error: null, again: new Date(now + pauseMs), failed: true });
    return { kind: "later", at: now + pauseMs };
  }

  /** What another process, or an earlier try, has left: it has the lease, or says when there may be another one. */
  async #others(workspaceId: string, place: Place): Promise<MediaReady> {
    const row = await this.#app.db.read(workspaceId, (sql) => selectAtProviderRow(sql, workspaceId, place));
    const now = this.#app.clock.now();
    if (row === null || isKnown(row, now)) return { kind: "ready" };
    if (row.error !== null) return { kind: "refused", error: row.error };
    return this.#later((row.lease_until?.getTime() ?? 0) - now);
  }

  #store(workspaceId: string, place: Place, end: UploadEnd): Promise<boolean> {
    return this.#app.db.transaction(workspaceId, (sql) => updateUploadedRow(sql, workspaceId, place, end));
  }

  #later(ms: number): MediaReady {
    const waitMs = Math.min(ASK_AGAIN_MS.most, Math.max(ASK_AGAIN_MS.least, ms));
    return { kind: "later", at: this.#app.clock.now() + waitMs };
  }

  /** Ends what is being uploaded, whose messages wait for another process; resolves when its leases are given back. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }
}

const isKnown = ({ provider_media_id: id, expires_at: expiresAt }: AtProviderRow, now: number): boolean =>
  id !== null && expiresAt !== null && expiresAt.getTime() > now;

/** It is the file that is refused: it would be again. */
const isOfFile = ({ class: class_, provider, code }: ProviderError): boolean =>
  class_ === "media" || code === "media_failed" || (class_ === "permanent" && provider !== null);
const OF_ACCOUNT: ReadonlySet<ProviderError["class"]> = new Set(["token", "locked", "access", "asset"]);

const unsent = (code: ProviderError["code"], class_: ProviderError["class"], detail: string): ProviderError => ({
  class: class_,
  code,
  bytesSent: false,
  provider: null,
  httpStatus: null,
  detail,
});
const DISCONNECTED = unsent("account_disconnected", "transient", "The account is not connected.");
const LOST = unsent("media_failed", "permanent", "The file is not in the gateway's store any more. Upload it again.");

const idsOf = ({ workspaceId }: LaneSender, { mediaId, phoneNumberId }: Place) => ({
  workspace_id: workspaceId,
  media_id: mediaId,
  phone_number_id: phoneNumberId,
});
