import { type FastifyInstance, fastify } from "fastify";
import { registerAppRoutes } from "./app-routes.ts";
import { registerBillingRoutes } from "./billing-routes.ts";
import { BoundedLog } from "./bounded-log.ts";
import { registerProfileRoutes } from "./business-profile.ts";
import { registerConsentPage } from "./consent-page.ts";
import { Control } from "./control.ts";
import { registerControlRoutes } from "./control-routes.ts";
import { Courier } from "./courier.ts";
import { Faults } from "./faults.ts";
import { registerGraphRoutes } from "./graph-routes.ts";
import { refusePath, registerGraphLayer } from "./graph-server.ts";
import { versionedPath } from "./graph-version.ts";
import { createIds } from "./ids.ts";
import { ManagementCalls } from "./management-calls.ts";
import { registerManagementFaults } from "./management-faults.ts";
import { registerManagementQuota } from "./management-quota.ts";
import { MediaStore } from "./media.ts";
import { registerMediaRoutes } from "./media-routes.ts";
import { registerPeopleRoutes } from "./people-routes.ts";
import { registerPhonePage } from "./phone-page.ts";
import { seededRandom } from "./random.ts";
import { registerRegistrationRoutes } from "./registration-routes.ts";
import { registerReportRoutes } from "./report-routes.ts";
import { DEMO_ACCOUNT } from "./seed.ts";
import type { DueStatus, SentEntry } from "./sent.ts";
import { type Clock, SettableClock } from "./settable-clock.ts";
import {
  type CallbackRetries,
  type Delays,
  REALISTIC_DELAYS,
  REALISTIC_RETRIES,
  REALISTIC_SETTINGS,
  type Settings,
} from "./settings.ts";
import { Signups } from "./signup-grants.ts";
import { drawsOf, LOGGED_INBOUND, LOGGED_SENDS, type Simulation } from "./simulation.ts";
import { emitStatuses } from "./statuses.ts";
import { registerTemplateRoutes } from "./template-routes.ts";
import { registerThreadRoutes } from "./thread-control.ts";
import { TimerWheel } from "./timer-wheel.ts";
import { registerUploadRoutes } from "./upload-routes.ts";
import { Uploads } from "./uploads.ts";
import { refuseWebPages } from "./web-pages.ts";
import { type AccountInput, World } from "./world.ts";

/** By default everything is as at the real provider, with one demo account. */
export type SimulatorOptions = {
  /** 0 (the default): any free port. */
  port?: number;
  host?: string;
  /** Signs callbacks, and is the `client_secret` of the token exchange. */
  appSecret: string;
  verifyToken: string;
  /** Where callbacks are posted; null (the default): nowhere, until `setCallbackUrl`. */
  callbackUrl?: string | null;
  appId?: string;
  /** `entry[].id` of PARTNER_ events. */
  partnerBusinessId?: string;
  seed?: readonly AccountInput[];
  delays?: Partial<Delays>;
  settings?: Partial<Settings>;
  callbackRetries?: Partial<CallbackRetries>;
  /** The clock of windows and timestamps, in epoch milliseconds. */
  clock?: Clock;
  /** Seed of the delays' jitter. */
  randomSeed?: number;
};

/**
 * Starts the simulated provider. Rejects with the operating system's error when the port is taken.
 * @example const provider = await startSimulator({ appSecret: "s", verifyToken: "v", callbackUrl });
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const simulator = new Simulator(options);
  await simulator.listen(options.port ?? 0);
  return simulator;
}

/** The control API in process, where the simulator listens, and how to wait for it. */
export class Simulator extends Control {
  readonly #sim: Simulation;
  readonly #host: string;
  readonly #app: FastifyInstance;
  readonly #idleChecks: Set<() => void>;
  #port = 0;

  constructor(options: SimulatorOptions) {
    const idleChecks = new Set<() => void>();
    const sim = createSimulation(options, () => {
      if (isIdle(sim)) for (const check of idleChecks) check();
    });
    super(sim, options.seed ?? [DEMO_ACCOUNT]);
    this.#sim = sim;
    this.#host = options.host ?? "127.0.0.1";
    this.#app = createServer(sim, this, this.#host);
    this.#idleChecks = idleChecks;
  }

  async listen(port: number): Promise<void> {
    await this.#app.listen({ port, host: this.#host });
    const address = this.#app.server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://${this.#host.includes(":") ? `[${this.#host}]` : this.#host}:${this.#port}`;
  }

  /** Resolves when no status is due and no callback waits, is in flight or is to be tried again. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isIdle(this.#sim)) return;
        this.#idleChecks.delete(check);
        resolve();
      };
      this.#idleChecks.add(check);
      check();
    });
  }

  /** Resolves with the first `count` sends that match, as soon as there are that many. */
  whenSent(count: number, matches: (entry: SentEntry) => boolean = () => true): Promise<SentEntry[]> {
    const found: SentEntry[] = [];
    let since = 0;
    return new Promise((resolve) => {
      const check = () => {
        const page = this.#sim.sent.read(since, count - found.length, matches);
        since = page.next_cursor;
        found.push(...page.data);
        if (found.length < count) return;
        this.#sim.onRequest.delete(check);
        resolve(found);
      };
      this.#sim.onRequest.add(check);
      check();
    });
  }

  /** Resets open connections, drops pending callbacks and frees the port. */
  async close(): Promise<void> {
    this.reset();
    await this.#app.close();
    this.#sim.courier.close();
  }
}

const isIdle = (sim: Simulation): boolean => sim.wheel.size === 0 && sim.courier.pending === 0;

function createSimulation(options: SimulatorOptions, onQuiet: () => void): Simulation {
  const random = seededRandom(options.randomSeed ?? 1);
  const settings = { ...REALISTIC_SETTINGS, ...options.settings };
  const sim: Simulation = {
    app: {
      id: options.appId ?? "42",
      name: "Sim",
      secret: options.appSecret,
      verifyToken: options.verifyToken,
      partnerBusinessId: options.partnerBusinessId ?? "7777",
    },
    clock: new SettableClock(options.clock ?? { nowMs: () => Date.now() }),
    random,
    ids: createIds(),
    world: new World(),
    signups: new Signups(),
    faults: new Faults(),
    uploads: new Uploads(),
    management: new ManagementCalls(),
    wheel: new TimerWheel<DueStatus>((due) => {
      emitStatuses(sim, due);
      onQuiet();
    }),
    courier: new Courier({
      callbackUrl: options.callbackUrl ?? null,
      appSecret: options.appSecret,
      retries: { ...REALISTIC_RETRIES, ...options.callbackRetries },
      settings: () => sim.settings,
      nowMs: () => sim.clock.nowMs(),
      random,
      shuffle: () => sim.draws.shuffle,
      onQuiet,
    }),
    sent: new BoundedLog(LOGGED_SENDS),
    charges: new WeakMap(),
    inbound: new BoundedLog(LOGGED_INBOUND),
    media: new MediaStore(),
    delays: { ...REALISTIC_DELAYS, ...options.delays },
    settings,
    draws: drawsOf(settings),
    counts: { requests: 0, accepted: 0, refused: {}, statuses: 0 },
    timers: new Set(),
    onRequest: new Set(),
  };
  return sim;
}

function createServer(sim: Simulation, control: Control, host: string): FastifyInstance {
  const app = fastify({
    forceCloseConnections: true,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    // Some clients end the path of an object with a slash.
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => refusePath(sim, error, request, reply),
    rewriteUrl: ({ url }) => versionedPath(url ?? "/", sim.clock.nowMs()),
  });
  registerGraphLayer(app, sim);
  refuseWebPages(app, host);
  registerManagementQuota(app, sim);
  registerManagementFaults(app, sim);
  registerMediaRoutes(app, sim);
  registerGraphRoutes(app, sim);
  registerTemplateRoutes(app, sim);
  registerUploadRoutes(app, sim);
  registerAppRoutes(app, sim);
  registerProfileRoutes(app, sim);
  registerThreadRoutes(app, sim);
  registerRegistrationRoutes(app, sim);
  registerControlRoutes(app, control);
  registerBillingRoutes(app, control);
  registerPeopleRoutes(app, control);
  registerReportRoutes(app, control);
  registerPhonePage(app, sim, control);
  registerConsentPage(app, sim);
  return app;
}

export type { AccountEventInput } from "./account-events.ts";
export { ACCOUNT_EVENTS, ACCOUNT_FIELDS } from "./account-values.ts";
export type { AppStateInput, EchoInput, HistoryInput, HistoryMessage } from "./coexistence.ts";
export type { Control, SentFilter, Stats } from "./control.ts";
export type { Bill } from "./control-billing.ts";
export type { CallbackEntry } from "./courier.ts";
export type { FaultInput } from "./faults.ts";
export type {
  ChangeResult,
  MarketingInput,
  MarketingResult,
  NumberChangeInput,
  UserIdChangeInput,
} from "./identity-changes.ts";
export type { ContactCardInput, InboundInput, InboundResult } from "./inbound.ts";
export { INBOUND_SAMPLES, type InboundSample } from "./inbound-samples.ts";
export type { CallInput, ErrorsInput, StatusInput } from "./number-reports.ts";
export type { PaymentInput } from "./payment-reports.ts";
export type { PersonInput, PersonState } from "./person-traits.ts";
export type { Reported, ReportedUpdate } from "./report.ts";
export type { SignupCodeInput } from "./signup-grants.ts";
export type {
  CategoryInput,
  ComponentsInput,
  DecisionInput,
  QualityInput,
  TemplateReported,
} from "./template-news.ts";
export type { AccountInput, CallbackRetries, Clock, Delays, SentEntry, Settings };
