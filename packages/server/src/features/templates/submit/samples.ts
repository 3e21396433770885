import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App, Ctx } from "../../../ctx.ts";
import { type FieldError, Problem, problemAt } from "../../../http/problem.ts";
import { parseId } from "../../../lib/ids.ts";
import { type Proxy, proxyOf } from "../../../lib/safe-fetch/proxy.ts";
import { FileNotWritten, safeDownload } from "../../../lib/safe-fetch/safe-download.ts";
import { type EgressPolicy, egressPolicy } from "../../../lib/safe-fetch/target.ts";
import type { AccountAccess } from "../../../provider/provider.ts";
import type { Sample } from "../../../provider/template-calls.ts";
import { findMedia } from "../../media/media.ts";
import type { MediaFiles } from "../../media/media-files.ts";
import { type Fields, list, type Placed, placed, record, textOf, upper } from "../rules/rule.ts";
import { MEDIA_FORMATS } from "../rules/texts.ts";
import { refusedProblem, withinTime } from "./at-provider.ts";

const MB = 1_048_576;
type Kind = { types: readonly string[]; mostBytes: number };
const VIDEO: Kind = { types: ["video/mp4", "video/3gpp"], mostBytes: 16 * MB };
const OFFICE = "application/vnd.openxmlformats-officedocument";
/** What a sample of each header format may be (Cloud API documentation, media: supported types and sizes). */
const KINDS: Readonly<Record<string, Kind>> = {
  IMAGE: { types: ["image/jpeg", "image/png"], mostBytes: 5 * MB },
  VIDEO,
  // An animation is a video without sound.
  GIF: { types: [...VIDEO.types, "image/gif"], mostBytes: VIDEO.mostBytes },
  DOCUMENT: {
    types: [
      "application/pdf",
      "text/plain",
      "application/msword",
      "application/vnd.ms-excel",
      "application/vnd.ms-powerpoint",
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
    ],
    mostBytes: 100 * MB,
  },
};

/** For all samples of a request: of the 60 s after which proxies give up, what submission and reading leave. */
const SAMPLES_WITHIN_MS = 35_000;
/** A server that takes longer than this for its file is not one to wait for. */
const DOWNLOAD_WITHIN_MS = 15_000;
/** Requests that fetch samples at once: each has up to 100 MB on its way, in a file. */
const MOST_AT_ONCE = 4;
const MOST_OF_WORKSPACE = 2;

/** Uploads samples of media headers that are given by link or as media. One for the process: it counts what is running. */
export class Samples {
  readonly #app: App;
  readonly #policy: EgressPolicy;
  readonly #proxy: Proxy | undefined;
  readonly #files: MediaFiles;
  readonly #running: string[] = [];

  constructor(app: App, files: MediaFiles) {
    const { EGRESS_ALLOW_CIDRS, EGRESS_ALLOW_PORTS, EGRESS_PROXY_URL } = app.config;
    this.#app = app;
    this.#files = files;
    this.#policy = egressPolicy(EGRESS_ALLOW_CIDRS, EGRESS_ALLOW_PORTS);
    this.#proxy = proxyOf(EGRESS_PROXY_URL, app.clock);
  }

  /**
   * The components with a handle for each link and each media; nothing else is changed. Throws 400 at the place of one that cannot be used, 422
   * at that of media that is not there.
   */
  async uploaded(ctx: Ctx, account: UploadAccount, components: readonly unknown[]): Promise<readonly unknown[]> {
    const links = linksIn(components);
    if (links.length === 0) return components;
    this.#requireApp(links);
    this.#enter(ctx.workspaceId);
    try {
      const deadline = ctx.clock.monotonic() + SAMPLES_WITHIN_MS;
      const handles = new Map<string, string>();
      for (const link of links) {
        const key = `${link.format} ${link.given}`;
        if (handles.has(key)) continue;
        const of = { ...account, deadline };
        handles.set(
          key,
          link.mediaId === null ? await this.#fetch(ctx, of, link) : await this.#open(ctx, of, link, link.mediaId),
        );
      }
      return replaced(components, handles);
    } finally {
      this.#running.splice(this.#running.indexOf(ctx.workspaceId), 1);
    }
  }

  /** Throws what `uploaded` would refuse, as far as that shows without fetching a link and without the provider. */
  async check(ctx: Ctx, components: readonly unknown[]): Promise<void> {
    const links = linksIn(components);
    this.#requireApp(links);
    for (const link of links) if (link.mediaId !== null) await this.#requireMedia(ctx, link, link.mediaId);
  }

  /** An upload belongs to an app of the provider. */
  #requireApp(links: readonly Link[]): void {
    if (links.length > 0 && this.#app.config.PROVIDER_APP_ID === null)
      throw atPlaces(
        links,
        "The gateway has no PROVIDER_APP_ID to upload samples with. Upload the file yourself and give its handle.",
      );
  }

  #enter(workspaceId: string): void {
    const own = this.#running.filter((one) => one === workspaceId).length;
    if (this.#running.length >= MOST_AT_ONCE || own >= MOST_OF_WORKSPACE)
      throw new Problem("rate_limited", "Other samples are being fetched. Repeat the request when they are done.", {
        retryAfterSeconds: 5,
      });
    this.#running.push(workspaceId);
  }

  async #fetch(ctx: Ctx, of: Uploading, link: Link): Promise<string> {
    const leftMs = of.deadline - ctx.clock.monotonic();
    if (leftMs <= 0) throw atPlaces([link], TOO_SLOW);
    const file = await openNameless();
    try {
      const got = await safeDownload(
        { url: link.given, ...link.kind, file, signal: ctx.signal },
        { policy: this.#policy, proxy: this.#proxy, clock: ctx.clock, withinMs: Math.min(DOWNLOAD_WITHIN_MS, leftMs) },
      );
      if (!got.ok) throw atPlaces([link], got.detail);
      const content = file.createReadStream({ start: 0, autoClose: false });
      return await this.#upload(ctx, of, link, { type: got.type, bytes: got.bytes, content });
    } catch (error) {
      throw error instanceof FileNotWritten ? noRoom(error) : error;
    } finally {
      await file.close();
    }
  }

  async #open(ctx: Ctx, of: Uploading, link: Link, mediaId: string): Promise<string> {
    const { fileId, type, bytes } = await this.#requireMedia(ctx, link, mediaId);
    const content = await this.#files.open(ctx.workspaceId, fileId, { start: 0, end: bytes - 1 });
    return await this.#upload(ctx, of, link, { type, bytes, content });
  }

  async #requireMedia({ workspaceId }: Ctx, link: Link, mediaId: string): Promise<StoredMedia> {
    const found = await this.#app.db.read(workspaceId, (sql) => findMedia(sql, workspaceId, [mediaId], null));
    const { fileId, mimeType, size } = found[0] ?? NO_MEDIA;
    if (fileId === null || mimeType === null || size === null)
      throw problemAt("media_not_found", link.at, "There is no such media, or it is not available.");
    const { types, mostBytes } = link.kind;
    if (!types.includes(mimeType) || size > mostBytes)
      throw atPlaces([link], `This media is of the type ${mimeType} and has ${size} bytes. ${takenOf(link)}`);
    return { fileId, type: mimeType, bytes: size };
  }

  async #upload(ctx: Ctx, of: Uploading, link: Link, file: Omit<Sample, "name">): Promise<string> {
    const sample = { ...file, name: `sample.${file.type.replace(/^.*[/.]/, "")}` };
    const leftMs = Math.max(1, of.deadline - ctx.clock.monotonic());
    const answer = await withinTime(ctx, leftMs, (signal) =>
      ctx.provider.uploadSample({ ...of.access, sample, signal }),
    ).finally(() => file.content.destroy());
    if (answer.ok) return answer.value;
    const account = { workspaceId: ctx.workspaceId, businessAccountId: of.businessAccountId };
    const failed = "The sample was not uploaded, and nothing was submitted";
    const { code, message, extras } = await refusedProblem(this.#app, account, answer.error, failed);
    throw new Problem(code, message, { ...extras, errors: [errorAt(link, message)] });
  }
}

type StoredMedia = { fileId: string; type: string; bytes: number };
const NO_MEDIA = { fileId: null, mimeType: null, size: null };

/** A temporary file that is only open: a process that is killed leaves nothing of a customer behind. */
async function openNameless(): Promise<FileHandle> {
  try {
    const directory = await mkdtemp(join(tmpdir(), "waypost-sample-"));
    try {
      return await open(join(directory, "sample"), "wx+", 0o600);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  } catch (error) {
    throw noRoom(error);
  }
}

const noRoom = (cause: unknown): Problem =>
  new Problem(
    "unavailable",
    "The gateway cannot write to its temporary folder, where samples pass through. Nothing was submitted.",
    { cause },
  );

/** The account that the samples are for. */
type UploadAccount = { access: AccountAccess; businessAccountId: string };
type Uploading = UploadAccount & { deadline: number };

const TOO_SLOW = `The samples together took longer than ${SAMPLES_WITHIN_MS / 1_000} s. Upload the files yourself and give their handles.`;

/** What is given as a sample, and no handle: a link, or the id of media, whose uuid `mediaId` is then. */
type Link = { given: string; mediaId: string | null; at: string; format: string; kind: Kind };

const takenOf = ({ kind: { types, mostBytes } }: Link): string =>
  `Give one of ${types.join(", ")} of at most ${mostBytes / MB} MB.`;

const errorAt = ({ at }: Link, detail: string): FieldError => ({ pointer: at, code: "sample_unavailable", detail });

const atPlaces = (links: readonly Link[], detail: string): Problem =>
  new Problem("invalid_request", detail, { errors: links.map((link) => errorAt(link, detail)) });

const isLink = (text: string): boolean => /^https?:\/\//i.test(text);
/** Handles begin with a number. */
const isMedia = (text: string): boolean => text.startsWith("med_");

function linksIn(components: readonly unknown[]): Link[] {
  return headersIn(placed(components, "/components")).flatMap(({ at, fields }) => {
    const format = upper(fields["format"]);
    const kind = KINDS[format];
    const handles = list(record(fields["example"])["header_handle"]);
    return handles.map(textOf).flatMap((given, index) => {
      if (!kind || !(isLink(given) || isMedia(given))) return [];
      const place = `${at}/example/header_handle/${index}`;
      const mediaId = isMedia(given) ? uuidOfMedia(given, place) : null;
      return [{ given, mediaId, at: place, format, kind }];
    });
  });
}

function uuidOfMedia(given: string, at: string): string {
  const id = parseId("med", given);
  if (id === null) throw problemAt("media_not_found", at, "There is no such media.");
  return id;
}

/** The media headers of a template and of its cards. */
const headersIn = (components: readonly Placed[]): Placed[] =>
  components.flatMap(({ at, fields }) => {
    if (isMediaHeader(fields)) return [{ at, fields }];
    const cards = placed(list(fields["cards"]), `${at}/cards`);
    return cards.flatMap((card) => headersIn(placed(list(card.fields["components"]), `${card.at}/components`)));
  });

const isMediaHeader = (fields: Fields): boolean =>
  upper(fields["type"]) === "HEADER" && MEDIA_FORMATS.includes(upper(fields["format"]));

function replaced(components: readonly unknown[], handles: ReadonlyMap<string, string>): readonly unknown[] {
  return components.map((component) => {
    const fields = record(component);
    if (isMediaHeader(fields)) {
      const example = record(fields["example"]);
      const format = upper(fields["format"]);
      const header_handle = list(example["header_handle"]).map((one) => handles.get(`${format} ${textOf(one)}`) ?? one);
      return { ...fields, example: { ...example, header_handle } };
    }
    if (!Array.isArray(fields["cards"])) return component;
    const cards = fields["cards"].map((card: unknown) => ({
      ...record(card),
      components: replaced(list(record(card)["components"]), handles),
    }));
    return { ...fields, cards };
  });
}
