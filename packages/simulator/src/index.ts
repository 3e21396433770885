import { AjvCompiler } from "@fastify/ajv-compiler";
import { type FastifyInstance, fastify } from "fastify";
import { Courier } from "./callbacks/courier.ts";
import { registerBillingRoutes } from "./control/billing-routes.ts";
import { Control } from "./control/control.ts";
import { registerFileRoutes } from "./control/file-routes.ts";
import { registerPeopleRoutes } from "./control/people-routes.ts";
import { registerReportRoutes } from "./control/report-routes.ts";
import { registerControlRoutes } from "./control/routes.ts";
import { refuseWebPages } from "./control/web-pages.ts";
import { registerAppRoutes } from "./graph/app-routes.ts";
import { registerProfileRoutes } from "./graph/business-profile.ts";
import { Flows, registerFlowRoutes } from "./graph/flows.ts";
import { registerManagementFaults } from "./graph/management-faults.ts";
import { registerManagementQuota } from "./graph/management-quota.ts";
import { registerMediaRoutes } from "./graph/media-routes.ts";
import { registerNumberTools } from "./graph/number-tools.ts";
import { registerRegistrationRoutes } from "./graph/registration-routes.ts";
import { registerGraphRoutes } from "./graph/routes.ts";
import { refusePath, registerGraphLayer } from "./graph/server.ts";
import { registerTemplateRoutes } from "./graph/template-routes.ts";
import { registerThreadRoutes } from "./graph/thread-control.ts";
import { registerUploadRoutes } from "./graph/upload-routes.ts";
import { BoundedLog } from "./lib/bounded-log.ts";
import { createIds } from "./lib/ids.ts";
import { seededRandom } from "./lib/random.ts";
import { type Clock, SettableClock } from "./lib/settable-clock.ts";
import { TimerWheel } from "./lib/timer-wheel.ts";
import { registerConsentPage } from "./pages/consent.ts";
import { registerPages } from "./pages/pages.ts";
import { registerStream } from "./pages/stream.ts";
import type { PersonInput } from "./people/traits.ts";
import { versionedPath } from "./protocol/version.ts";
import { emitStatuses } from "./sending/statuses.ts";
import { News } from "./simulation/news.ts";
import { drawsOf, LOGGED_INBOUND, LOGGED_SENDS, type Simulation } from "./simulation/simulation.ts";
import { Faults } from "./world/faults.ts";
import { ManagementCalls } from "./world/management-calls.ts";
import { MediaStore } from "./world/media.ts";
import { DEMO_ACCOUNT, DEMO_PEOPLE } from "./world/seed.ts";
import type { DueStatus, SentEntry } from "./world/sent.ts";
import {
  type CallbackRetries,
  type Delays,
  REALISTIC_DELAYS,
  REALISTIC_RETRIES,
  REALISTIC_SETTINGS,
  type Settings,
} from "./world/settings.ts";
import { Signups } from "./world/signup-grants.ts";
import { Uploads } from "./world/uploads.ts";
import { type AccountInput, World } from "./world/world.ts";

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
  /** People with traits; by default those of the demo, with other accounts none. */
  people?: readonly PersonInput[];
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
    super(sim, {
      accounts: options.seed ?? [DEMO_ACCOUNT],
      people: options.people ?? (options.seed === undefined ? DEMO_PEOPLE : []),
    });
    this.#sim = sim;
    this.#host = options.host ?? "127.0.0.1";
    this.#app = createServer(sim, this, this.#host);
    this.#idleChecks = idleChecks;
  }

  async listen(port: number): Promise<void> {
    await this.#app.listen({ port, host: this.#host });
    const address = this.#app.server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    this.#sim.origin = this.url;
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
    origin: "http://127.0.0.1",
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
      onTry: () => sim.news.report({ kind: "world" }),
      onQuiet,
    }),
    sent: new BoundedLog(LOGGED_SENDS),
    charges: new WeakMap(),
    inbound: new BoundedLog(LOGGED_INBOUND),
    news: new News(),
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

/** One for all simulators of a process, as tests have: what is compiled of a schema is kept. */
const buildValidator = AjvCompiler();

function createServer(sim: Simulation, control: Control, host: string): FastifyInstance {
  const app = fastify({
    forceCloseConnections: true,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    schemaController: { compilersFactory: { buildValidator } },
    // Some clients end the path of an object with a slash.
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => refusePath(sim, error, request, reply),
    rewriteUrl: ({ url }) => versionedPath(url ?? "/", sim.clock.nowMs()),
  });
  registerGraphLayer(app, sim);
  refuseWebPages(app, host);
  registerManagementQuota(app, sim);
  registerManagementFaults(app, sim);
  const flows = new Flows();
  registerMediaRoutes(app, sim, flows);
  registerGraphRoutes(app, sim, flows);
  registerFlowRoutes(app, sim, flows);
  registerNumberTools(app, sim);
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
  registerFileRoutes(app, control);
  registerPages(app);
  registerStream(app, sim);
  registerConsentPage(app, sim);
  return app;
}

export { ACCOUNT_EVENTS, ACCOUNT_FIELDS } from "./accounts/event-values.ts";
export type { AccountEventInput } from "./accounts/events.ts";
export type { CallbackEntry } from "./callbacks/courier.ts";
export type { Bill } from "./control/billing.ts";
export type { Control, SentFilter, Stats } from "./control/control.ts";
export type { FileEntry, FileInput } from "./control/files.ts";
export type {
  ChangeResult,
  MarketingInput,
  MarketingResult,
  NumberChangeInput,
  UserIdChangeInput,
} from "./people/identity-changes.ts";
export type { ContactCardInput, InboundInput, InboundResult } from "./people/inbound.ts";
export { INBOUND_SAMPLES, type InboundSample } from "./people/inbound-samples.ts";
export type { PersonState } from "./people/traits.ts";
export type { AppStateInput, EchoInput, HistoryInput, HistoryMessage } from "./reports/coexistence.ts";
export type { CallInput, ErrorsInput, StatusInput } from "./reports/numbers.ts";
export type { PaymentInput } from "./reports/payments.ts";
export type { Reported, ReportedUpdate } from "./simulation/report.ts";
export type {
  CategoryInput,
  ComponentsInput,
  DecisionInput,
  QualityInput,
  TemplateReported,
} from "./templates/news.ts";
export type { FaultInput } from "./world/faults.ts";
export type { SignupCodeInput } from "./world/signup-grants.ts";
export type { AccountInput, CallbackRetries, Clock, Delays, PersonInput, SentEntry, Settings };
