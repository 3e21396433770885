import { join } from "node:path";
import type { App } from "../ctx.ts";
import { Senders } from "../features/accounts/numbers/senders.ts";
import type { AccountParts } from "../features/accounts/parts.ts";
import { SetupLinks } from "../features/accounts/setup-links/setup-links.ts";
import { Recorder } from "../features/audit/recorder.ts";
import type { Erasure } from "../features/contacts/erasure.ts";
import type { EventGroups } from "../features/events/event-groups.ts";
import { Listeners } from "../features/events/listeners.ts";
import { IdentityResolver } from "../features/identity/resolver.ts";
import { replayUnowned } from "../features/ingress/quarantine.ts";
import { Authenticator } from "../features/keys/authenticate.ts";
import { MediaFiles } from "../features/media/media-files.ts";
import { ProviderUploads } from "../features/media/provider-uploads.ts";
import { ProviderEvents } from "../features/messages/callbacks/provider-events.ts";
import { Sending } from "../features/messages/sending.ts";
import { SentTwice } from "../features/messages/sent-twice.ts";
import { Sessions } from "../features/sessions/sessions.ts";
import { BackgroundPlaces } from "../features/tasks/background.ts";
import type { TaskHandler } from "../features/tasks/lane.ts";
import { TaskWaiters } from "../features/tasks/task-waiters.ts";
import { takeTemplates } from "../features/templates/account-templates.ts";
import { Templates } from "../features/templates/cache.ts";
import { DirectoryStore } from "../files/directory-store.ts";
import type { FileStore } from "../files/file-store.ts";
import { type MediaPlaces, mediaPlacesOf } from "../files/media-places.ts";
import type { LaneKind } from "../lanes/kind.ts";

/**
 * Objects that a process has one of and that more than one feature uses: caches, batches, waiters. Their features stop those that
 * write. Batches that only read are abandoned at a stop: listener and lanes have stopped by then, so no caller waits for an answer.
 * What has no state is not here: a feature imports it from its neighbour.
 */
export type Services = {
  /** Of the server, as `User-Agent` of deliveries. */
  version: string;
  /** The process is a part of a developer's installation, `npm start`. */
  isDevelopment: boolean;
  authenticator: Authenticator;
  sessions: Sessions;
  setupLinks: SetupLinks;
  recorder: Recorder;
  taskWaiters: TaskWaiters;
  background: BackgroundPlaces;
  senders: Senders;
  templates: Templates;
  /** Of features that stand above accounts, which calls them. */
  accountParts: AccountParts;
  listeners: Listeners;
  identityResolver: IdentityResolver;
  providerEvents: ProviderEvents;
  sending: Sending;
  sentTwice: SentTwice;
  /** Files that are too large for the database. */
  files: FileStore;
  /** Where media is kept, and the bytes of it. */
  mediaPlaces: MediaPlaces;
  mediaFiles: MediaFiles;
  /** Media on its way to the provider. */
  uploads: ProviderUploads;
  /** The event groups of all features. */
  events: EventGroups;
  /** How all features forget a person. */
  erasure: Erasure;
  /** The kinds of lanes of all features; complete when the last feature is built. */
  kinds: LaneKind[];
  /** The task handlers of all features by kind; complete when the last feature is built. */
  tasks: Map<string, TaskHandler>;
};

export function createServices(
  app: App,
  { version, isDevelopment, events, erasure }: Pick<Services, "version" | "isDevelopment" | "events" | "erasure">,
): Services {
  const listeners = new Listeners(app);
  const identityResolver = new IdentityResolver(app);
  const sentTwice = new SentTwice(app);
  const senders = new Senders(app);
  const templates = new Templates(app);
  const mediaPlaces = mediaPlacesOf(app.config);
  const mediaFiles = new MediaFiles(app, mediaPlaces);
  return {
    version,
    isDevelopment,
    authenticator: new Authenticator(app),
    sessions: new Sessions(app),
    setupLinks: new SetupLinks(app),
    recorder: new Recorder(app),
    taskWaiters: new TaskWaiters(),
    background: new BackgroundPlaces(),
    senders,
    templates,
    accountParts: { takeTemplates, replayUnowned },
    listeners,
    identityResolver,
    providerEvents: new ProviderEvents(app, { listeners, identityResolver, sentTwice }),
    sending: new Sending(app, { senders, templates, listeners }),
    sentTwice,
    files: new DirectoryStore(join(app.config.WAYPOST_DATA_DIR, "files")),
    mediaPlaces,
    mediaFiles,
    uploads: new ProviderUploads(app, { files: mediaFiles, senders }),
    events,
    erasure,
    kinds: [],
    tasks: new Map(),
  };
}
