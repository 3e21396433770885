import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf, isPassing } from "../../../db/batched.ts";
import { FileStoreUnavailable, FileTooLarge, type Spooled } from "../../../files/file-store.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../../lanes/kind.ts";
import { type OutcomeStore, storeOutcome } from "../../../lanes/store-outcome.ts";
import { jittered } from "../../../lib/backoff.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/duration.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { isUnknownObject } from "../../../provider/error-table.ts";
import { MediaBroken, type MediaContent } from "../../../provider/media-calls.ts";
import type { CallResult, ProviderError } from "../../../provider/provider.ts";
import { readAccess } from "../../accounts/token.ts";
import { shareOf } from "../../tasks/task.ts";
import type { MediaFiles } from "../media-files.ts";
import { LARGEST_MEDIA_BYTES } from "../media-types.ts";
import { completeInbound, failInbound } from "../outcome.ts";
import { type FetchedRow, type FetchRow, fetchQueue, selectFetchRow, settleFetches } from "./fetch.store.ts";

/** Files that a process fetches at once. */
const IN_FLIGHT = 64;
/** Of one workspace: one for which the provider's host hangs soon tries a file at a time, and keeps one place. */
const CONCURRENCY = { start: 4, most: 16 };
/** Before each next try of a file: the last of these from then on. */
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS];
const SPREAD = 0.2;
/** The provider keeps what people send for 7 days (Cloud API documentation, media). */
const KEPT_MS = 7 * DAY_MS;
/** Tries that may give other bytes than the file's: then it has failed. */
const MOST_WRONG = 3;
/** Without access to the account, and where the file store takes nothing. */
const WITHOUT_ACCESS_MS = 10 * MINUTE_MS;
const STORE_AGAIN_MS = 30_000;

/** How a try ended; `coped`: whether the provider's host did, undefined where it was not asked. */
type Tried =
  | { kind: "ended"; outcome: string; coped: boolean | undefined }
  | { kind: "again"; detail: string; afterMs: number | null; coped: boolean | undefined };

/**
 * The lanes of files that people sent, one for each workspace: each file is looked up at the provider, read, looked through, and stored. A
 * try that is cut off is made again by the next owner of the lane.
 */
export class FetchLane implements LaneKind {
  readonly name = "fetch";
  readonly role = "maintenance";
  readonly queue = fetchQueue;
  readonly inFlight = IN_FLIGHT;
  readonly #app: App;
  readonly #files: MediaFiles;
  readonly #quiet: QuietLog;
  readonly #calls: CallsOf<typeof settleFetches>;
  readonly #store: OutcomeStore<FetchedRow, unknown>;

  constructor(app: App, files: MediaFiles) {
    const { db, clock } = app;
    this.#app = app;
    this.#files = files;
    this.#quiet = new QuietLog(app.log, clock);
    this.#calls = new BatchedCalls({ db, clock, fn: settleFetches, rests: true, group: (row) => row.workspace_id });
    this.#store = {
      clock,
      calls: this.#calls,
      offersAgain: (error, { media_id, workspace_id }, claim) => {
        const text = "how a fetch ended could not be stored; it is kept and tried again";
        this.#quiet.warn("outcome", { err: error, media_id, workspace_id }, text);
        return !claim.signal.aborted;
      },
    };
  }

  settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    const free = { ratePerSecond: null, concurrency: CONCURRENCY, ordered: false, keyPace: null, closed: false };
    return Promise.resolve(new Map(lanes.map((lane) => [lane, { ...free, fairShareKey: shareOf(lane) }])));
  }

  async work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    const { clock, log } = this.#app;
    const began = clock.monotonic();
    const ids = { workspace_id: row.workspaceId, media_id: row.itemId };
    let tried: Tried;
    try {
      tried = await this.#try(row, claim);
    } catch (error) {
      if (isPassing(error)) return { kind: "again" };
      if (claim.signal.aborted) return { kind: "not_ours" };
      log.error({ err: error, ...ids }, "a file could not be fetched");
      tried = again("The gateway could not take the file.");
    }
    const disposition = await this.#settle(row, tried, claim);
    log.info(
      {
        ...ids,
        attempt: row.attempt + 1,
        outcome: tried.kind === "ended" ? tried.outcome : "later",
        detail: tried.kind === "ended" ? undefined : tried.detail,
        ms: Math.round(clock.monotonic() - began),
      },
      "media fetch",
    );
    return disposition;
  }

  async #try({ workspaceId, itemId: mediaId, attempt }: QueueRow, claim: LaneClaim): Promise<Tried> {
    const { db, clock } = this.#app;
    const row = await db.read(workspaceId, (sql) => selectFetchRow(sql, workspaceId, mediaId));
    if (row === null) return { kind: "ended", outcome: "gone", coped: undefined };
    const fail = async (detail: string, coped: boolean | undefined): Promise<Tried> => {
      await failInbound(this.#app, workspaceId, mediaId, { code: "media_failed", detail, retryable: false });
      return { kind: "ended", outcome: "failed", coped };
    };
    if (clock.now() - row.created_at.getTime() > KEPT_MS)
      return await fail("The file could not be had from the provider for as long as it keeps one.", undefined);
    const opened = await this.#open(workspaceId, row, claim.signal);
    if (opened === null) return again("The account of the number is not connected.", WITHOUT_ACCESS_MS, undefined);
    if (!opened.ok) {
      const { error } = opened;
      if (isUnknownObject(error)) return await fail(`The provider no longer has the file: ${error.detail}`, true);
      return again(error.detail, error.retryAfterMs ?? pauseOf(error), isTrouble(error) ? false : undefined);
    }
    const { bytes, content, sha256 } = opened.value;
    let spooled: Spooled;
    try {
      if (bytes !== null && bytes > LARGEST_MEDIA_BYTES) return await fail(TOO_LARGE, true);
      spooled = await this.#files.receive(content, LARGEST_MEDIA_BYTES);
    } catch (error) {
      if (error instanceof FileTooLarge) return await fail(TOO_LARGE, true);
      if (error instanceof MediaBroken) return again(error.message, null, false);
      if (error instanceof FileStoreUnavailable)
        return again("The gateway has no room for the file.", STORE_AGAIN_MS, undefined);
      throw error;
    } finally {
      content.destroy();
    }
    const fault = faultOfBytes(spooled, sha256);
    if (fault !== null) {
      await spooled.discard();
      return attempt < MOST_WRONG - 1 ? again(fault) : await fail(fault, true);
    }
    return await this.#keep({ workspaceId, mediaId }, row, spooled, fail);
  }

  /** The content, at an address that was asked for now, and the digest that it should have; null where there is no access to the account. */
  async #open(
    workspaceId: string,
    { provider_media_id: providerMediaId, ...row }: FetchRow,
    signal: AbortSignal,
  ): Promise<CallResult<Opened> | null> {
    const { provider_phone_number_id: providerPhoneNumberId, business_account_id: accountId } = row;
    const access = accountId === null ? null : await readAccess(this.#app, workspaceId, accountId);
    if (access === null || providerPhoneNumberId === null) return null;
    const { accessToken } = access;
    const { provider } = this.#app;
    for (let tries = 1; ; tries++) {
      const found = await provider.findMedia({ accessToken, providerPhoneNumberId, providerMediaId, signal });
      if (!found.ok) return found;
      const opened = await provider.openMedia({ accessToken, address: found.value.address, signal });
      if (opened.ok) return { ok: true, value: { ...opened.value, sha256: found.value.sha256 } };
      // The address has ended meanwhile: it is asked for once more.
      if (opened.error.httpStatus !== 404 || tries > 1) return opened;
    }
  }

  async #keep(
    { workspaceId, mediaId }: { workspaceId: string; mediaId: string },
    { filename, mime_type: said }: FetchRow,
    spooled: Spooled,
    fail: Fail,
  ): Promise<Tried> {
    try {
      if (!(await this.#files.isClean(spooled)))
        return await fail("The file was refused by the scan of the gateway.", true);
      const type = await this.#files.typeOf(spooled, { filename, mimeType: said });
      const kept = await this.#files.keep(workspaceId, spooled, this.#app.clock.now());
      // Parameters of the type, such as the codec of a voice message, are the provider's to say.
      const mimeType = said?.startsWith(`${type?.mimeType};`) === true ? null : (type?.mimeType ?? null);
      const isStored = await completeInbound(this.#app, workspaceId, mediaId, { ...kept, mimeType });
      return { kind: "ended", outcome: isStored ? "available" : "gone", coped: true };
    } catch (error) {
      if (!(error instanceof FileStoreUnavailable)) throw error;
      return again("The file store of the gateway takes no file.", STORE_AGAIN_MS, undefined);
    } finally {
      await spooled.discard();
    }
  }

  async #settle(row: QueueRow, tried: Tried, claim: LaneClaim): Promise<Disposition> {
    const { clock, random } = this.#app;
    const ticket = { slot: row.slot, seq: row.seq, workspace_id: row.workspaceId, media_id: row.itemId };
    if (tried.kind === "ended") {
      const stored = await storeOutcome(
        this.#store,
        { ...ticket, outcome: "ended", due: null, attempt: row.attempt, error: null },
        claim,
      );
      return stored === null ? { kind: "again" } : { kind: "done", coped: tried.coped };
    }
    const usual = PAUSES_MS[Math.min(row.attempt, PAUSES_MS.length - 1)] ?? HOUR_MS;
    const due = clock.now() + jittered(tried.afterMs ?? usual, SPREAD, random);
    const error = { code: "media_failed", detail: tried.detail, retryable: true };
    const later = {
      ...ticket,
      outcome: "later" as const,
      due: isoTime(due),
      attempt: Math.min(row.attempt + 1, MOST_ATTEMPTS),
      error,
    };
    const stored = await storeOutcome(this.#store, later, claim);
    return stored === null ? { kind: "again" } : { kind: "later", due, holdsKey: false, coped: tried.coped };
  }

  /** Resolves when every end is stored. */
  async stop(): Promise<void> {
    await this.#calls.drained();
  }
}

type Opened = MediaContent & { sha256: string | null };
type Fail = (detail: string, coped: boolean | undefined) => Promise<Tried>;
/** What the column takes. */
const MOST_ATTEMPTS = 32_000;
const TOO_LARGE = `The file is larger than ${LARGEST_MEDIA_BYTES} bytes.`;

/** What is wrong with what arrived; null for the file. A host in trouble may answer 200 with a page, or with nothing. */
function faultOfBytes({ size, sha256 }: Spooled, expected: string | null): string | null {
  if (size === 0) return "The provider gave an empty file.";
  return expected === null || expected === sha256 ? null : "The provider gave other bytes than those of the file.";
}

const again = (detail: string, afterMs: number | null = null, coped?: boolean): Tried => ({
  kind: "again",
  detail,
  afterMs,
  coped,
});

/** While there is no access, trying more often changes nothing. */
const pauseOf = ({ class: class_ }: ProviderError): number | null =>
  class_ === "token" || class_ === "locked" || class_ === "access" ? WITHOUT_ACCESS_MS : null;

/** The host did not answer, or not in time. */
const isTrouble = ({ provider }: ProviderError): boolean => provider === null;
