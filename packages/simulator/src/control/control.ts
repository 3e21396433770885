import { issueSignupCode } from "../accounts/signups.ts";
import type { CallbackEntry } from "../callbacks/courier.ts";
import type { LogPage } from "../lib/bounded-log.ts";
import { type PersonInput, type PersonState, personState, setTraits } from "../people/traits.ts";
import { personIn } from "../simulation/identity.ts";
import { accountBy, numberBy } from "../simulation/objects.ts";
import { drawsOf, type Simulation } from "../simulation/simulation.ts";
import { addTemplate } from "../templates/life.ts";
import { behaviourProblem, managementProblem } from "../world/behaviour.ts";
import { ControlError } from "../world/control-error.ts";
import type { Fault, FaultInput } from "../world/faults.ts";
import type { SentEntry } from "../world/sent.ts";
import type { CallbackRetries, Delays, Settings } from "../world/settings.ts";
import type { SignupCodeInput } from "../world/signup-grants.ts";
import type { TemplateInput } from "../world/template.ts";
import { isUserId } from "../world/user-ids.ts";
import { type AccountInput, chatWith, type NumberChange } from "../world/world.ts";
import { type AccountState, accountState } from "./account-state.ts";
import { Billing } from "./billing.ts";

/** Where a log is read: behind `since`, a cursor of an earlier page, or the `last` entries. */
type LogFilter = { since?: number; last?: number; limit?: number };

/** Which sends to list; `to` is a user id, or a number and compared by digits. */
export type SentFilter = LogFilter & {
  phone_number_id?: string;
  to?: string;
  opaque?: string;
  type?: string;
  accepted?: boolean;
};

export type Stats = {
  requests: number;
  accepted: number;
  /** Refusals by error code. */
  refused: Record<string, number>;
  statuses: number;
  /** Management calls by account and operation, those beyond the quota too. */
  management_calls: Record<string, Record<string, number>>;
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

/** What there is at the start. */
export type Seed = { accounts: readonly AccountInput[]; people: readonly PersonInput[] };

const USUAL_PAGE = 1000;
const MOST_PAGE = 100_000;
const WINDOW_MS = 24 * 3_600_000;

/** What a test may do to the simulator: the same methods in process and under `/sim`. */
export class Control extends Billing {
  readonly #sim: Simulation;
  readonly #seed: Seed;
  readonly #initial: { delays: Delays; settings: Settings; retries: CallbackRetries };

  /** Adds the accounts and people of `seed`, now and at each reset. */
  constructor(sim: Simulation, seed: Seed) {
    super(sim);
    this.#sim = sim;
    this.#seed = seed;
    this.#initial = { delays: sim.delays, settings: sim.settings, retries: sim.courier.retries };
    this.#plant();
  }

  addAccount(input: AccountInput): { waba_id: string; phone_number_ids: string[]; template_ids: string[] } {
    const account = this.#sim.world.addAccount(input);
    const templates = (input.templates ?? []).map((template) => addTemplate(this.#sim, account, template));
    return {
      waba_id: account.id,
      phone_number_ids: account.phoneNumbers.map((number) => number.id),
      template_ids: templates.map((template) => template.id),
    };
  }

  accounts(): AccountState[] {
    return [...this.#sim.world.accounts.values()].map(accountState);
  }

  removeAccount(wabaId: string): void {
    this.#sim.world.removeAccount(accountBy(this.#sim, wabaId).id);
  }

  /** Invalidates the account's token (190 with the subcode) or, with null, makes it valid again. */
  setTokenDeath(wabaId: string, subcode: number | null): void {
    accountBy(this.#sim, wabaId).tokenDeath = subcode;
  }

  /** Refuses every message of the account with this code (368 restricted, 131031 locked) or, with null, lets it send again. */
  setAccountLock(wabaId: string, code: number | null): void {
    accountBy(this.#sim, wabaId).lock = code;
  }

  /** A code as a customer's dialog gives it out, with the callbacks of a completed one. */
  issueSignupCode(input: SignupCodeInput): { code: string } {
    return issueSignupCode(this.#sim, input);
  }

  addTemplate({ waba_id, ...input }: TemplateInput & { waba_id: string }): { id: string; status: string } {
    const { id, status } = addTemplate(this.#sim, accountBy(this.#sim, waba_id), input);
    return { id, status };
  }

  setPerson(input: PersonInput): PersonState {
    return setTraits(this.#sim, input);
  }

  person(written: string): PersonState {
    return personState(this.#sim, written);
  }

  /** Posts an earlier callback, by its `cursor` in the log, once more with the same bytes. */
  repeatCallback(cursor: number): void {
    if (!this.#sim.courier.repeat(cursor)) throw new ControlError(404, `callback ${cursor} is not kept`);
  }

  /** Posts exactly this body, signed as any other: one that is cut off, or has a shape that no other call makes. */
  rawCallback({ body }: { body: string }): { reported: boolean } {
    return { reported: this.#sim.courier.postRaw(body) };
  }

  /** Opens the window until now + 24 h, or closes it, without any message. */
  setWindow(input: { phone_number_id: string; person: string; open: boolean }): { window_expires_at: number } {
    const number = numberBy(this.#sim, input.phone_number_id);
    const chat = chatWith(number, personIn(this.#sim, number, input.person));
    chat.windowUntil = input.open ? this.#sim.clock.nowMs() + WINDOW_MS : 0;
    return { window_expires_at: chat.windowUntil };
  }

  /** Changes what a number may send a second, or its quality; reported only by `accountEvent`. */
  setNumber(id: string, change: NumberChange): void {
    this.#sim.world.changePhoneNumber(numberBy(this.#sim, id), change);
  }

  addFault(input: FaultInput): Fault {
    const problem = behaviourProblem(input) ?? (input.operation === undefined ? undefined : managementProblem(input));
    if (problem !== undefined) throw new ControlError(400, problem);
    return this.#sim.faults.add(input);
  }

  faults(): readonly Fault[] {
    return this.#sim.faults.list();
  }

  removeFault(id: string): void {
    if (!this.#sim.faults.remove(id)) throw new ControlError(404, `no fault ${id}`);
  }

  clearFaults(): void {
    this.#sim.faults.clear();
  }

  sent(filter: SentFilter = {}): LogPage<SentEntry> {
    const { since, limit, last } = filter;
    return this.#sim.sent.read(placeOf(this.#sim.sent, since, last), pageSize(limit), sentMatcher(filter));
  }

  callbacks({ since, limit, last }: LogFilter = {}): LogPage<CallbackEntry> {
    const { log } = this.#sim.courier;
    return log.read(placeOf(log, since, last), pageSize(limit), () => true);
  }

  stats(): Stats {
    const { counts, management, wheel, courier } = this.#sim;
    return {
      ...counts,
      refused: { ...counts.refused },
      management_calls: management.counts(),
      statuses_scheduled: wheel.size,
      callbacks_pending: courier.pending,
      callbacks: { ...courier.counts },
    };
  }

  setCallbackUrl(url: string | null): void {
    if (url !== null && !/^https?:/.test(url)) throw new ControlError(400, "a callback URL is http or https");
    this.#sim.courier.callbackUrl = url;
  }

  /** The verification GET at the callback URL, as when the app is configured. */
  async handshake(
    input: { url?: string; verify_token?: string } = {},
  ): Promise<{ verified: boolean; status: number | null }> {
    const { courier, app } = this.#sim;
    const url = input.url ?? courier.callbackUrl;
    if (url === null) throw new ControlError(400, "there is no callback URL");
    return await courier.handshake(url, input.verify_token ?? app.verifyToken);
  }

  setDelays(delays: Partial<Delays>): Delays {
    this.#sim.delays = { ...this.#sim.delays, ...delays };
    return this.#sim.delays;
  }

  setSettings(settings: Partial<Settings>): Settings {
    const sim = this.#sim;
    sim.settings = { ...sim.settings, ...settings };
    // A seed starts its series over each time that it is set.
    const { shuffle, optionalFields } = drawsOf(sim.settings);
    if (settings.shuffleSeed !== undefined) sim.draws.shuffle = shuffle;
    if (settings.optionalFieldsSeed !== undefined) sim.draws.optionalFields = optionalFields;
    // More callbacks may be in flight now.
    sim.courier.wake();
    return sim.settings;
  }

  setCallbackRetries(retries: Partial<CallbackRetries>): CallbackRetries {
    const { courier } = this.#sim;
    courier.retries = { ...courier.retries, ...retries };
    return courier.retries;
  }

  /** Restores the state at the start, except the callback URL; `keep_accounts` keeps accounts, people, windows and templates. */
  reset({ keep_accounts = false }: { keep_accounts?: boolean } = {}): void {
    const sim = this.#sim;
    for (const timer of sim.timers) clearTimeout(timer);
    sim.timers.clear();
    sim.wheel.clear();
    sim.faults.clear();
    sim.management.clear();
    sim.sent.clear();
    sim.courier.clear();
    sim.counts = { requests: 0, accepted: 0, refused: {}, statuses: 0 };
    sim.delays = this.#initial.delays;
    sim.settings = this.#initial.settings;
    sim.draws = drawsOf(sim.settings);
    sim.courier.retries = this.#initial.retries;
    sim.clock.set(null);
    sim.news.report({ kind: "all" });
    if (keep_accounts) return;
    sim.inbound.clear();
    sim.uploads.clear();
    sim.media.clear();
    sim.world.clear();
    sim.signups.clear();
    this.#plant();
  }

  #plant(): void {
    for (const account of this.#seed.accounts) this.addAccount(account);
    for (const person of this.#seed.people) this.setPerson(person);
  }
}

function sentMatcher(filter: SentFilter): (entry: SentEntry) => boolean {
  const { phone_number_id, to, opaque, type, accepted } = filter;
  return (entry) =>
    (phone_number_id === undefined || entry.phone_number_id === phone_number_id) &&
    (to === undefined || isSentTo(entry, to)) &&
    (opaque === undefined || entry.opaque === opaque) &&
    (type === undefined || entry.type === type) &&
    (accepted === undefined || entry.accepted === accepted);
}

function isSentTo(entry: SentEntry, to: string): boolean {
  if (isUserId(to)) return entry.to === to;
  const digits = to.replace(/\D/g, "");
  return entry.wa_id === digits || (entry.user_id === null && entry.to?.replace(/\D/g, "") === digits);
}

const placeOf = (log: { total: number }, since = 0, last?: number): number =>
  last === undefined ? since : Math.max(0, log.total - last);

function pageSize(limit: number | undefined): number {
  return Math.min(MOST_PAGE, Math.max(1, limit ?? USUAL_PAGE));
}
