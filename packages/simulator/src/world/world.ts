import { NumberBill } from "./bill.ts";
import { ControlError } from "./control-error.ts";
import { People, type Person } from "./people.ts";
import type { BusinessProfile } from "./profile-fields.ts";
import { ThroughputWindow } from "./rates.ts";
import type { Template, TemplateInput } from "./template.ts";
import { TIME_ZONES } from "./time-zones.ts";

/** A phone number to add; `throughput` in messages per second (80). */
export type PhoneNumberInput = {
  id: string;
  display_phone_number: string;
  verified_name?: string;
  throughput?: number;
  quality_rating?: "GREEN" | "YELLOW" | "RED" | "UNKNOWN" | "NA";
  /** CONNECTED (registered, the default); PENDING waits for its registration, UNVERIFIED for its verification. */
  status?: NumberStatus;
  /** The two-step PIN that it has already; null (the default): none. */
  pin?: string | null;
  /** Of its WhatsApp account, once an account is two: callbacks about the number name it; null (the default): not yet. */
  waac_id?: string | null;
};

export const NUMBER_STATUSES = [
  "CONNECTED",
  "PENDING",
  "UNVERIFIED",
  "DISCONNECTED",
  "FLAGGED",
  "RATE_LIMITED",
  "RESTRICTED",
  "BANNED",
  "MIGRATED",
  "DELETED",
] as const;
export type NumberStatus = (typeof NUMBER_STATUSES)[number];

/** A WhatsApp Business Account to add, with the token that reaches it. A second one with the same id replaces it. */
export type AccountInput = {
  waba_id: string;
  name: string;
  business_id: string;
  token: string;
  phone_numbers: readonly PhoneNumberInput[];
  templates?: readonly TemplateInput[];
  /** Whether the app gets its callbacks before it asked for them by `subscribed_apps` (false). */
  subscribed?: boolean;
  /** `TIER_250` … `TIER_UNLIMITED` (the default); that of all accounts of the portfolio is the last one given. */
  messaging_limit?: string;
} & AccountChange;

/** How an account is billed. */
export type AccountChange = {
  /** The provider's number of its time zone ("1", Los Angeles). */
  timezone_id?: string;
  /** The IANA name that it is billed by; by default that of the id, of ids that are not known here UTC. */
  time_zone?: string;
  /** Without one, service messages beyond the free thousand are accepted and not delivered: 131042 (true). */
  payment_method?: boolean;
  /** An eligible organisation: its service messages beyond the free thousand are free too (false). */
  paid_exempt?: boolean;
};

/** What the provider changes of a number by itself. */
export type NumberChange = {
  throughput?: number;
  quality_rating?: string;
  status?: NumberStatus;
  verified_name?: string;
  pin?: string | null;
  waac_id?: string | null;
};

/** What one number knows of one person. Times in milliseconds, but for `pairPaidAt` on the simulator's clock. */
export type Chat = {
  windowUntil: number;
  pairPaidAt: number;
  /** When the business last wrote to the person's number; null: never. */
  numberUsedAt: number | null;
  /** Until when an answer to the person's coming from an advertisement starts a free time, and until when that lasts. */
  referredUntil: number;
  referredByAd: boolean;
  freeEntryUntil: number;
  /** The person stopped this number's marketing in the app. */
  marketingStopped: boolean;
  owner: "self" | "other" | null; // while the window is open: the app, another responder, or neither
};

export type PhoneNumber = {
  id: string;
  account: Account;
  displayPhoneNumber: string;
  digits: string;
  waacId: string | null;
  verifiedName: string;
  qualityRating: string;
  profile: BusinessProfile;
  throughput: number;
  status: NumberStatus;
  verified: boolean;
  codeRequested: boolean;
  /** The two-step PIN; null: none yet. */
  pin: string | null;
  /** When it was registered or deregistered, of the last days. */
  registrations: number[];
  recentSends: ThroughputWindow;
  bill: NumberBill;
  chats: Map<Person, Chat>;
};

export type Account = {
  id: string;
  name: string;
  businessId: string;
  token: string;
  /** Set when the token is dead: the subcode that goes with 190 (458 app removed, 463 expired …). */
  tokenDeath: number | null;
  /** Set when the account may send nothing: the code that refuses its messages (368, 131031 …). */
  lock: number | null;
  subscribed: boolean;
  callbackOverride: string | null;
  messagingLimit: string;
  timezoneId: string;
  /** IANA name. */
  timeZone: string;
  paymentMethod: boolean;
  paidExempt: boolean;
  phoneNumbers: PhoneNumber[];
  /** By name and language, in order of making. */
  templates: Map<string, Template>;
  /** Names freed by deletion and when they may be used again, in milliseconds. */
  lockedNames: Map<string, number>;
  /** When templates were created in the last hour, in milliseconds. */
  creations: number[];
};

/** What a new number may send a second until it is upgraded (provider reference 6.2). */
const USUAL_THROUGHPUT = 80;
/** Chats remembered for each number; beyond it the oldest are forgotten. */
const CHATS_PER_NUMBER = 200_000;

/** Everything that exists at the provider: accounts, their numbers, templates and tokens, and people. */
export class World {
  readonly people = new People();
  readonly accounts = new Map<string, Account>();
  readonly phoneNumbers = new Map<string, PhoneNumber>();
  readonly templates = new Map<string, { account: Account; template: Template }>();
  readonly accountsByToken = new Map<string, Account[]>();
  readonly #reached = new Map<string, Map<Person, number>>();

  /** Whom a portfolio wrote to outside the window, the last time in milliseconds, in the order of the times. */
  reachedBy(businessId: string): Map<Person, number> {
    let reached = this.#reached.get(businessId);
    if (reached === undefined) this.#reached.set(businessId, (reached = new Map()));
    return reached;
  }

  /** Sets the messaging limit of a portfolio: that of all its accounts. */
  setMessagingLimit(businessId: string, limit: string): void {
    for (const account of this.accounts.values()) if (account.businessId === businessId) account.messagingLimit = limit;
  }

  addAccount(input: AccountInput): Account {
    this.removeAccount(input.waba_id);
    const account: Account = {
      id: input.waba_id,
      name: input.name,
      businessId: input.business_id,
      token: input.token,
      tokenDeath: null,
      lock: null,
      subscribed: input.subscribed ?? false,
      callbackOverride: null,
      messagingLimit: input.messaging_limit ?? "TIER_UNLIMITED",
      timezoneId: USUAL_TIMEZONE_ID,
      timeZone: "UTC",
      paymentMethod: true,
      paidExempt: false,
      phoneNumbers: [],
      templates: new Map(),
      lockedNames: new Map(),
      creations: [],
    };
    changeAccount(account, { timezone_id: USUAL_TIMEZONE_ID, ...input });
    this.accounts.set(account.id, account);
    this.accountsByToken.set(input.token, [...(this.accountsByToken.get(input.token) ?? []), account]);
    for (const number of input.phone_numbers) this.#addPhoneNumber(account, number);
    this.setMessagingLimit(account.businessId, account.messagingLimit);
    return account;
  }

  removeAccount(id: string): void {
    const account = this.accounts.get(id);
    if (account === undefined) return;
    for (const number of account.phoneNumbers) this.phoneNumbers.delete(number.id);
    for (const template of account.templates.values()) this.templates.delete(template.id);
    const others = (this.accountsByToken.get(account.token) ?? []).filter((one) => one !== account);
    if (others.length > 0) this.accountsByToken.set(account.token, others);
    else this.accountsByToken.delete(account.token);
    this.accounts.delete(id);
  }

  changePhoneNumber(number: PhoneNumber, change: NumberChange): void {
    const { throughput, quality_rating, status, verified_name, pin, waac_id } = change;
    if (status !== undefined) {
      number.status = status;
      number.verified = status !== "UNVERIFIED";
    }
    if (pin !== undefined) number.pin = pin;
    if (waac_id !== undefined) number.waacId = waac_id;
    number.qualityRating = quality_rating ?? number.qualityRating;
    number.verifiedName = verified_name ?? number.verifiedName;
    if (throughput === undefined) return;
    number.throughput = throughput;
    number.recentSends = new ThroughputWindow(throughput);
  }

  clear(): void {
    this.people.clear();
    this.accounts.clear();
    this.phoneNumbers.clear();
    this.templates.clear();
    this.accountsByToken.clear();
    this.#reached.clear();
  }

  #addPhoneNumber(account: Account, input: PhoneNumberInput): void {
    const throughput = input.throughput ?? USUAL_THROUGHPUT;
    const number: PhoneNumber = {
      id: input.id,
      account,
      displayPhoneNumber: input.display_phone_number,
      digits: input.display_phone_number.replace(/\D/g, ""),
      waacId: input.waac_id ?? null,
      verifiedName: input.verified_name ?? account.name,
      qualityRating: input.quality_rating ?? "GREEN",
      profile: {},
      throughput,
      status: input.status ?? "CONNECTED",
      verified: input.status !== "UNVERIFIED",
      codeRequested: false,
      pin: input.pin ?? null,
      registrations: [],
      recentSends: new ThroughputWindow(throughput),
      bill: new NumberBill(),
      chats: new Map(),
    };
    account.phoneNumbers.push(number);
    this.phoneNumbers.set(number.id, number);
  }
}

/** Los Angeles. */
const USUAL_TIMEZONE_ID = "1";

/** Changes how an account is billed; what was delivered until then stays in its months. */
export function changeAccount(account: Account, change: AccountChange): void {
  const { timezone_id, time_zone = TIME_ZONES[timezone_id ?? ""], payment_method, paid_exempt } = change;
  if (time_zone !== undefined && !isTimeZone(time_zone))
    throw new ControlError(400, `there is no time zone ${time_zone}`);
  account.timezoneId = timezone_id ?? account.timezoneId;
  if (time_zone !== undefined) account.timeZone = time_zone;
  else if (timezone_id !== undefined) account.timeZone = "UTC";
  account.paymentMethod = payment_method ?? account.paymentMethod;
  account.paidExempt = paid_exempt ?? account.paidExempt;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The number's chat with a person, made on first sight. */
export function chatWith(number: PhoneNumber, person: Person): Chat {
  const known = number.chats.get(person);
  if (known !== undefined) return known;
  if (number.chats.size >= CHATS_PER_NUMBER) {
    const oldest = number.chats.keys().next();
    if (oldest.done !== true) number.chats.delete(oldest.value);
  }
  const chat: Chat = {
    windowUntil: 0,
    pairPaidAt: 0,
    numberUsedAt: null,
    referredUntil: 0,
    referredByAd: false,
    freeEntryUntil: 0,
    marketingStopped: false,
    owner: null,
  };
  number.chats.set(person, chat);
  return chat;
}
