import { ThroughputWindow } from "./rates.ts";
import type { Template, TemplateInput } from "./template.ts";

/** A phone number to add; `throughput` in messages per second (80). */
export type PhoneNumberInput = {
  id: string;
  display_phone_number: string;
  verified_name?: string;
  throughput?: number;
  quality_rating?: "GREEN" | "YELLOW" | "RED" | "UNKNOWN" | "NA";
};

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
  /** `TIER_250` … `TIER_UNLIMITED` (the default); reported, not enforced. */
  messaging_limit?: string;
};

/** One person in one number's chats. Times in milliseconds; `windowUntil` on the simulator's clock. */
export type Person = { waId: string; name: string; windowUntil: number; pairPaidAt: number };

export type PhoneNumber = {
  id: string;
  account: Account;
  displayPhoneNumber: string;
  digits: string;
  verifiedName: string;
  qualityRating: string;
  throughput: number;
  recentSends: ThroughputWindow;
  people: Map<string, Person>;
};

export type Account = {
  id: string;
  name: string;
  businessId: string;
  token: string;
  /** Set when the token is dead: the subcode that goes with 190 (458 app removed, 463 expired …). */
  tokenDeath: number | null;
  subscribed: boolean;
  callbackOverride: string | null;
  messagingLimit: string;
  phoneNumbers: PhoneNumber[];
  /** By name and language, in order of making. */
  templates: Map<string, Template>;
  /** Names freed by deletion and when they may be used again, in milliseconds. */
  lockedNames: Map<string, number>;
};

/** What a new number may send a second until it is upgraded (provider reference 6.2). */
const USUAL_THROUGHPUT = 80;
/** People remembered for each number; strangers beyond it are forgotten oldest first. */
const PEOPLE_PER_NUMBER = 200_000;

/** Everything that exists at the provider: accounts, their numbers, templates and tokens. */
export class World {
  readonly accounts = new Map<string, Account>();
  readonly phoneNumbers = new Map<string, PhoneNumber>();
  readonly templates = new Map<string, { account: Account; template: Template }>();
  readonly accountsByToken = new Map<string, Account[]>();

  addAccount(input: AccountInput): Account {
    this.removeAccount(input.waba_id);
    const account: Account = {
      id: input.waba_id,
      name: input.name,
      businessId: input.business_id,
      token: input.token,
      tokenDeath: null,
      subscribed: input.subscribed ?? false,
      callbackOverride: null,
      messagingLimit: input.messaging_limit ?? "TIER_UNLIMITED",
      phoneNumbers: [],
      templates: new Map(),
      lockedNames: new Map(),
    };
    this.accounts.set(account.id, account);
    this.accountsByToken.set(input.token, [...(this.accountsByToken.get(input.token) ?? []), account]);
    for (const number of input.phone_numbers) this.#addPhoneNumber(account, number);
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

  clear(): void {
    this.accounts.clear();
    this.phoneNumbers.clear();
    this.templates.clear();
    this.accountsByToken.clear();
  }

  #addPhoneNumber(account: Account, input: PhoneNumberInput): void {
    const throughput = input.throughput ?? USUAL_THROUGHPUT;
    const number: PhoneNumber = {
      id: input.id,
      account,
      displayPhoneNumber: input.display_phone_number,
      digits: input.display_phone_number.replace(/\D/g, ""),
      verifiedName: input.verified_name ?? account.name,
      qualityRating: input.quality_rating ?? "GREEN",
      throughput,
      recentSends: new ThroughputWindow(throughput),
      people: new Map(),
    };
    account.phoneNumbers.push(number);
    this.phoneNumbers.set(number.id, number);
  }
}

/** The person in the number's chats, made on first sight. */
export function personOf(number: PhoneNumber, waId: string): Person {
  const known = number.people.get(waId);
  if (known !== undefined) return known;
  if (number.people.size >= PEOPLE_PER_NUMBER) {
    const oldest = number.people.keys().next();
    if (oldest.done !== true) number.people.delete(oldest.value);
  }
  const person: Person = { waId, name: `Person ${waId.slice(-4)}`, windowUntil: 0, pairPaidAt: 0 };
  number.people.set(waId, person);
  return person;
}
