import { type FastifyError, type FastifyInstance, fastify } from "fastify";
import { registerAppRoutes } from "./app-routes.ts";
import { BoundedLog } from "./bounded-log.ts";
import { type Control, ControlError, createControl } from "./control.ts";
import { registerControlRoutes } from "./control-routes.ts";
import { Courier } from "./courier.ts";
import { Faults } from "./faults.ts";
import { GraphError, graphRefusal } from "./graph-error.ts";
import { registerGraphRoutes } from "./graph-routes.ts";
import { createIds } from "./ids.ts";
import { registerPhonePage } from "./phone-page.ts";
import { seededRandom } from "./random.ts";
import { DEMO_ACCOUNT } from "./seed.ts";
import type { DueStatus, SentEntry } from "./sent.ts";
import {
  type CallbackRetries,
  type Delays,
  REALISTIC_DELAYS,
  REALISTIC_RETRIES,
  REALISTIC_SETTINGS,
  type Settings,
} from "./settings.ts";
import { type Clock, LOGGED_INBOUND, LOGGED_SENDS, type Simulation } from "./simulation.ts";
import { emitStatuses } from "./statuses.ts";
import { registerTemplateRoutes } from "./template-routes.ts";
import { TimerWheel } from "./timer-wheel.ts";
import { refuseWebPages } from "./web-pages.ts";
import { type AccountInput, World } from "./world.ts";

/** How to start; what is not given is as at the real provider, with one demo account. */
export type SimulatorOptions = {
  /** 0 (the default): any free port. */
  port?: number;
  host?: string;
  /** Signs callbacks, and is the `client_secret` of the token exchange. */
  appSecret: string;
  verifyToken: string;
  /** Where callbacks go; null (the default): nowhere, until `setCallbackUrl`. */
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

/** A running simulator: where it listens, the control API in process, and how to wait for it. */
export type Simulator = Control & {
  url: string;
  port: number;
  /** Resolves when no status is due and no callback waits, is under way or is to be tried again. */
  idle(): Promise<void>;
  /** Resolves with the first `count` sends that match, as soon as there are so many. */
  whenSent(count: number, matches?: (entry: SentEntry) => boolean): Promise<SentEntry[]>;
  /** Resets open connections, forgets pending callbacks and frees the port. */
  close(): Promise<void>;
};

/**
 * Starts the imitated provider. Rejects with the operating system's error when the port is taken.
 * @example const provider = await startSimulator({ appSecret: "s", verifyToken: "v", callbackUrl });
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const whenQuiet = new Set<() => void>();
  const sim = createSimulation(options, () => {
    if (sim.wheel.size === 0 && sim.courier.pending === 0) for (const run of whenQuiet) run();
  });
  const control = createControl(sim, options.seed ?? [DEMO_ACCOUNT]);
  const host = options.host ?? "127.0.0.1";
  const app = createServer(sim, control, host);
  await app.listen({ port: options.port ?? 0, host });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    ...control,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    idle: () =>
      new Promise((resolve) => {
        const check = () => {
          if (sim.wheel.size > 0 || sim.courier.pending > 0) return;
          whenQuiet.delete(check);
          resolve();
        };
        whenQuiet.add(check);
        check();
      }),
    whenSent: (count, matches = () => true) => whenSent(sim, count, matches),
    async close() {
      control.reset();
      await app.close();
      sim.courier.close();
    },
  };
}

function createSimulation(options: SimulatorOptions, onQuiet: () => void): Simulation {
  const sim: Simulation = {
    app: {
      id: options.appId ?? "42",
      name: "Sim",
      secret: options.appSecret,
      verifyToken: options.verifyToken,
      partnerBusinessId: options.partnerBusinessId ?? "7777",
    },
    clock: options.clock ?? { nowMs: () => Date.now() },
    random: seededRandom(options.randomSeed ?? 1),
    ids: createIds(),
    world: new World(),
    faults: new Faults(),
    wheel: new TimerWheel<DueStatus>((due) => {
      emitStatuses(sim, due);
      onQuiet();
    }),
    courier: new Courier({
      callbackUrl: options.callbackUrl ?? null,
      appSecret: options.appSecret,
      retries: { ...REALISTIC_RETRIES, ...options.callbackRetries },
      settings: () => sim.settings,
      onQuiet,
    }),
    sent: new BoundedLog(LOGGED_SENDS),
    inbound: new BoundedLog(LOGGED_INBOUND),
    delays: { ...REALISTIC_DELAYS, ...options.delays },
    settings: { ...REALISTIC_SETTINGS, ...options.settings },
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
  });
  // Graph takes an empty body, JSON or a form, whatever the path.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? undefined : JSON.parse(String(body)));
    } catch {
      done(graphRefusal(100, "(#100) Invalid JSON in the request body"));
    }
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    if (error instanceof GraphError) return reply.code(error.httpStatus).send(error.body);
    const status = error instanceof ControlError ? error.httpStatus : (error.statusCode ?? 500);
    return reply.code(status).send({ error: { message: error.message } });
  });
  app.setNotFoundHandler((request, reply) => {
    const { body } = graphRefusal(2500, `Unknown path components: ${request.url.split("?", 1)[0] ?? ""}`);
    return reply.code(400).send(body);
  });
  refuseWebPages(app, host);
  registerGraphRoutes(app, sim);
  registerTemplateRoutes(app, sim);
  registerAppRoutes(app, sim);
  registerControlRoutes(app, control);
  registerPhonePage(app, sim, control);
  return app;
}

function whenSent(sim: Simulation, count: number, matches: (entry: SentEntry) => boolean): Promise<SentEntry[]> {
  const found: SentEntry[] = [];
  let since = 0;
  return new Promise((resolve) => {
    const check = () => {
      const page = sim.sent.read(since, count - found.length, matches);
      since = page.next_cursor;
      found.push(...page.data);
      if (found.length < count) return;
      sim.onRequest.delete(check);
      resolve(found);
    };
    sim.onRequest.add(check);
    check();
  });
}

export type { AccountEventInput } from "./account-events.ts";
export type { Control, DecisionInput, SentFilter, Stats } from "./control.ts";
export type { CallbackEntry } from "./courier.ts";
export type { FaultInput } from "./faults.ts";
export type { InboundInput, InboundResult } from "./inbound.ts";
export type { AccountInput, CallbackRetries, Clock, Delays, SentEntry, Settings };
