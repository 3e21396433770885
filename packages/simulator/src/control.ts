import { type AccountEventInput, emitAccountEvent } from "./account-events.ts";
import { behaviourProblem } from "./behaviour.ts";
import type { LogPage } from "./bounded-log.ts";
import type { CallbackEntry } from "./courier.ts";
import type { Fault, FaultInput } from "./faults.ts";
import { type InboundInput, type InboundResult, receiveInbound } from "./inbound.ts";
import type { SentEntry } from "./sent.ts";
import type { Delays, Settings } from "./settings.ts";
import type { Simulation } from "./simulation.ts";
import type { TemplateInput } from "./template.ts";
import { addTemplate, decideTemplate } from "./template-life.ts";
import type { Account, AccountInput, PhoneNumber } from "./world.ts";
import { personOf } from "./world.ts";

/** A control call that cannot be done; over HTTP 400, or 404 for an object that does not exist. */
export class ControlError extends Error {
  readonly httpStatus: number;

  constructor(httpStatus: number, message: string) {
    super(message);
    this.name = "ControlError";
    this.httpStatus = httpStatus;
  }
}

/** Which sends to list; `to` is compared by digits, `since` is a cursor of an earlier page. */
export type SentFilter = {
  phone_number_id?: string;
  to?: string;
  opaque?: string;
  type?: string;
  accepted?: boolean;
  since?: number;
  limit?: number;
};

/** A decision about a template by event (`APPROVED`, `REJECTED`, `PAUSED` …); `extra` goes into the callback's value. */
export type DecisionInput = { status: string; reason?: string; extra?: Record<string, unknown> };

export type Stats = {
  requests: number;
  accepted: number;
  /** Refusals by error code. */
  refused: Record<string, number>;
  statuses: number;
  statuses_scheduled: number;
  callbacks_pending: number;
  callbacks: {
    posts: number;
    delivered: number;
    updates_delivered: number;
    failed_tries: number;
    given_up: number;
    dropped: number;
  };
};

/** What a test may do to the simulator: the same verbs in process and under `/sim`. */
export type Control = {
  addAccount(input: AccountInput): { waba_id: string; phone_number_ids: string[]; template_ids: string[] };
  removeAccount(wabaId: string): void;
  /** Kills the account's token (190 with the subcode) or, with null, revives it. */
  setTokenDeath(wabaId: string, subcode: number | null): void;
  addTemplate(input: TemplateInput & { waba_id: string }): { id: string; status: string };
  decideTemplate(templateId: string, decision: DecisionInput): { id: string; status: string };
  inbound(input: InboundInput): InboundResult;
  /** Opens the window until now + 24 h, or closes it, without any message. */
  setWindow(input: { phone_number_id: string; person: string; open: boolean }): { window_expires_at: number };
  accountEvent(input: AccountEventInput): void;
  addFault(input: FaultInput): Fault;
  faults(): readonly Fault[];
  clearFaults(): void;
  sent(filter?: SentFilter): LogPage<SentEntry>;
  callbacks(filter?: { since?: number; limit?: number }): LogPage<CallbackEntry>;
  stats(): Stats;
  setCallbackUrl(url: string | null): void;
  /** The verification GET at the callback URL, as when the app is configured. */
  handshake(input?: { url?: string; verify_token?: string }): Promise<{ verified: boolean; status: number | null }>;
  setDelays(delays: Partial<Delays>): Delays;
  setSettings(settings: Partial<Settings>): Settings;
  /** Everything as at the start, but for the callback URL; `keep_accounts` leaves accounts, windows and templates. */
  reset(input?: { keep_accounts?: boolean }): void;
};

const USUAL_PAGE = 1000;
const MOST_PAGE = 100_000;
const WINDOW_MS = 24 * 3_600_000;

export function createControl(sim: Simulation, seed: readonly AccountInput[]): Control {
  const initial = { delays: sim.delays, settings: sim.settings };
  const control: Control = {
    addAccount(input) {
      const account = sim.world.addAccount(input);
      const templates = (input.templates ?? []).map((template) => addTemplate(sim, account, template));
      return {
        waba_id: account.id,
        phone_number_ids: account.phoneNumbers.map((number) => number.id),
        template_ids: templates.map((template) => template.id),
      };
    },
    removeAccount: (wabaId) => sim.world.removeAccount(accountBy(sim, wabaId).id),
    setTokenDeath(wabaId, subcode) {
      accountBy(sim, wabaId).tokenDeath = subcode;
    },
    addTemplate({ waba_id, ...input }) {
      const { id, status } = addTemplate(sim, accountBy(sim, waba_id), input);
      return { id, status };
    },
    decideTemplate(templateId, { status: event, ...more }) {
      const found = sim.world.templates.get(templateId);
      if (found === undefined) throw new ControlError(404, `no template ${templateId}`);
      decideTemplate(sim, found.account, found.template, { event, ...more });
      return { id: templateId, status: found.template.status };
    },
    inbound: (input) => receiveInbound(sim, numberBy(sim, input.phone_number_id), input),
    setWindow({ phone_number_id, person, open }) {
      const known = personOf(numberBy(sim, phone_number_id), person.replace(/\D/g, ""));
      known.windowUntil = open ? sim.clock.nowMs() + WINDOW_MS : 0;
      return { window_expires_at: known.windowUntil };
    },
    accountEvent: (input) => emitAccountEvent(sim, accountBy(sim, input.waba_id), input),
    addFault(input) {
      const problem = behaviourProblem(input);
      if (problem !== undefined) throw new ControlError(400, problem);
      return sim.faults.add(input);
    },
    faults: () => sim.faults.list(),
    clearFaults: () => sim.faults.clear(),
    sent: (filter = {}) => sim.sent.read(filter.since ?? 0, pageSize(filter.limit), sentMatcher(filter)),
    callbacks: (filter = {}) => sim.courier.log.read(filter.since ?? 0, pageSize(filter.limit), () => true),
    stats: () => ({
      ...sim.counts,
      refused: { ...sim.counts.refused },
      statuses_scheduled: sim.wheel.size,
      callbacks_pending: sim.courier.pending,
      callbacks: { ...sim.courier.counts },
    }),
    setCallbackUrl(url) {
      if (url !== null && !/^https?:/.test(url)) throw new ControlError(400, "a callback URL is http or https");
      sim.courier.callbackUrl = url;
    },
    async handshake({ url = sim.courier.callbackUrl ?? undefined, verify_token = sim.app.verifyToken } = {}) {
      if (url === undefined) throw new ControlError(400, "there is no callback URL");
      return sim.courier.handshake(url, verify_token);
    },
    setDelays(delays) {
      sim.delays = { ...sim.delays, ...delays };
      return sim.delays;
    },
    setSettings(settings) {
      sim.settings = { ...sim.settings, ...settings };
      return sim.settings;
    },
    reset({ keep_accounts = false } = {}) {
      for (const timer of sim.timers) clearTimeout(timer);
      sim.timers.clear();
      sim.wheel.clear();
      sim.faults.clear();
      sim.sent.clear();
      sim.courier.clear();
      sim.counts = { requests: 0, accepted: 0, refused: {}, statuses: 0 };
      sim.delays = initial.delays;
      sim.settings = initial.settings;
      if (keep_accounts) return;
      sim.inbound.clear();
      sim.world.clear();
      for (const account of seed) control.addAccount(account);
    },
  };
  for (const account of seed) control.addAccount(account);
  return control;
}

function sentMatcher(filter: SentFilter): (entry: SentEntry) => boolean {
  const to = filter.to?.replace(/\D/g, "");
  const { phone_number_id, opaque, type, accepted } = filter;
  return (entry) =>
    (phone_number_id === undefined || entry.phone_number_id === phone_number_id) &&
    (to === undefined || entry.wa_id === to || entry.to?.replace(/\D/g, "") === to) &&
    (opaque === undefined || entry.opaque === opaque) &&
    (type === undefined || entry.type === type) &&
    (accepted === undefined || entry.accepted === accepted);
}

function pageSize(limit: number | undefined): number {
  return Math.min(MOST_PAGE, Math.max(1, limit ?? USUAL_PAGE));
}

function accountBy(sim: Simulation, wabaId: string): Account {
  const account = sim.world.accounts.get(wabaId);
  if (account === undefined) throw new ControlError(404, `no account ${wabaId}`);
  return account;
}

function numberBy(sim: Simulation, id: string): PhoneNumber {
  const number = sim.world.phoneNumbers.get(id);
  if (number === undefined) throw new ControlError(404, `no phone number ${id}`);
  return number;
}
