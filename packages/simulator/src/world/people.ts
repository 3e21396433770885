import { longFormOf, mexicanLandline, usualWaId } from "./number-forms.ts";
import { businessScopedUserId, countryOf, isParentUserId, parentUserId } from "./user-ids.ts";

/** A person with a WhatsApp account; the same for every business that writes to them. */
export type Person = {
  /** The form of the number that messages are routed by; null: only a user id is known. */
  waId: string | null;
  name: string;
  username: string | null;
  /** Whether callbacks leave the number out; null: as the provider decides, see `isNumberHidden`. */
  numberHidden: boolean | null;
  /** `false`: the number has no account, and messages to it fail. */
  onWhatsApp: boolean;
  parentUserId: string | null;
  /** By portfolio, created when first needed. */
  userIds: Map<string, string>;
  country: string;
  /** What the user ids are derived from. */
  seed: string;
  /** Where {@link People} has this person. */
  keys: string[];
  /** Set up by control: not forgotten to make room. */
  kept: boolean;
};

/** How a portfolio knows a person at one moment; a message keeps it, since its statuses may come after a change. */
export type Identity = { waId: string | null; userId: string; parentUserId: string | null };

/** A user id as a portfolio may use it: `retired` since the person got another one, `foreign` when created for another portfolio. */
export type UserIdUse = { person: Person; state: "live" | "retired" | "foreign" };

/** People remembered; beyond it the oldest are forgotten, but for those that were set up by control. */
const MOST_PEOPLE = 200_000;

/** Every person, by each form of the number and by user id. */
export class People {
  /** By long form, or by the exact digits of a form given by control. */
  readonly #byKey = new Map<string, Person>();
  readonly #byUserId = new Map<string, Person>();
  /** How many lots of user ids a number's holders have had after the first. */
  readonly #renewals = new Map<string, number>();

  find(digits: string): Person | undefined {
    return this.#byKey.get(digits) ?? this.#byKey.get(longFormOf(digits));
  }

  /** The person that any form of a number leads to, created on first sight. */
  reach(digits: string): Person {
    return this.find(digits) ?? this.#add(longFormOf(digits));
  }

  byUserId(businessId: string, userId: string): UserIdUse | undefined {
    const person = this.#byUserId.get(userId);
    if (person === undefined) return undefined;
    if (person.userIds.get(businessId) === userId || person.parentUserId === userId) return { person, state: "live" };
    const elsewhere = [...person.userIds.values()].includes(userId);
    if (elsewhere && person.seed === userId) {
      // Not created here: nothing says which portfolio it belongs to.
      person.userIds.set(businessId, userId);
      return { person, state: "live" };
    }
    return { person, state: elsewhere ? "foreign" : "retired" };
  }

  /** The person that has the user id now, in whichever portfolio. */
  byLiveUserId(userId: string): Person | undefined {
    const person = this.#byUserId.get(userId);
    const live = person?.parentUserId === userId || [...(person?.userIds.values() ?? [])].includes(userId);
    return live ? person : undefined;
  }

  /** A person of whom only the user id is known, as a client that has it from elsewhere may write to. */
  adopt(businessId: string, userId: string): Person {
    const person = personNamed(`Person ${userId.slice(-4)}`, userId.slice(0, 2), userId);
    if (isParentUserId(userId)) person.parentUserId = userId;
    else person.userIds.set(businessId, userId);
    this.#place(userId, person);
    this.#byUserId.set(userId, person);
    return person;
  }

  userIdOf(person: Person, businessId: string): string {
    const known = person.userIds.get(businessId);
    if (known !== undefined) return known;
    const userId = businessScopedUserId(businessId, person.country, person.seed);
    person.userIds.set(businessId, userId);
    this.#byUserId.set(userId, person);
    return userId;
  }

  setParent(person: Person, has: boolean): void {
    person.parentUserId = has ? parentUserId(person.country, person.seed) : null;
    if (person.parentUserId !== null) this.#byUserId.set(person.parentUserId, person);
  }

  /** Gives the person new user ids in every portfolio; the old ones stay known as retired. */
  renewUserIds(person: Person): void {
    person.seed = this.#nextSeed(person.keys[0] ?? person.seed);
    person.userIds = new Map();
    if (person.parentUserId !== null) this.setParent(person, true);
  }

  /** One more form that leads to the person; the one that it led to before loses it. */
  addForm(person: Person, digits: string): void {
    const before = this.find(digits);
    if (before === person) return;
    if (before !== undefined) before.keys = before.keys.filter((key) => key !== digits);
    this.#place(digits, person);
  }

  /** The landline with exactly these digits: a person of its own, apart from the mobile with the longer form. */
  landline(digits: string): Person {
    const longForm = longFormOf(digits);
    const sameLine = mexicanLandline(longForm);
    if (sameLine !== undefined) {
      const person = this.reach(longForm);
      person.waId = sameLine;
      return person;
    }
    return this.#byKey.get(digits) ?? this.#add(digits);
  }

  /**
   * Moves the person to another number with new user ids. The number left behind has no account until a message comes from
   * it; the person who held the new number before keeps only the user ids.
   */
  move(person: Person, digits: string, waId: string | undefined): void {
    const left = person.keys;
    const leftWaId = person.waId;
    const holder = this.find(digits);
    if (holder !== undefined) {
      for (const key of holder.keys) this.#byKey.delete(key);
      holder.keys = [];
      holder.waId = null;
    }
    const key = longFormOf(digits);
    person.keys = [];
    this.#place(key, person);
    person.waId = waId ?? usualWaId(key);
    person.country = countryOf(key);
    person.kept = true;
    this.renewUserIds(person);
    this.addForm(person, person.waId);
    const [first, ...others] = left;
    if (first === undefined || leftWaId === null) return;
    this.#byKey.delete(first);
    const vacant = this.#add(first);
    vacant.waId = leftWaId;
    vacant.onWhatsApp = false;
    vacant.kept = true;
    vacant.seed = this.#nextSeed(first);
    for (const other of others) this.#place(other, vacant);
  }

  /** Those set up by control that have an account, at most so many. */
  kept(most: number): Person[] {
    const kept = new Set<Person>();
    for (const person of this.#byKey.values()) {
      if (kept.size >= most) break;
      if (person.kept) kept.add(person);
    }
    return [...kept];
  }

  clear(): void {
    this.#byKey.clear();
    this.#byUserId.clear();
    this.#renewals.clear();
  }

  #add(key: string): Person {
    const waId = usualWaId(key);
    const person = personNamed(`Person ${waId.slice(-4)}`, countryOf(key), key);
    person.waId = waId;
    this.#place(key, person);
    return person;
  }

  #place(key: string, person: Person): void {
    if (this.#byKey.size >= MOST_PEOPLE) this.#forgetOldest();
    this.#byKey.set(key, person);
    person.keys.push(key);
  }

  #forgetOldest(): void {
    const [oldest] = this.#byKey;
    if (oldest === undefined) return;
    const [key, person] = oldest;
    this.#byKey.delete(key);
    if (person.kept) this.#byKey.set(key, person);
    else for (const userId of person.userIds.values()) this.#byUserId.delete(userId);
  }

  #nextSeed(key: string): string {
    const renewals = (this.#renewals.get(key) ?? 0) + 1;
    this.#renewals.set(key, renewals);
    return `${key}#${renewals}`;
  }
}

function personNamed(name: string, country: string, seed: string): Person {
  return {
    waId: null,
    name,
    username: null,
    numberHidden: null,
    onWhatsApp: true,
    parentUserId: null,
    userIds: new Map(),
    country,
    seed,
    keys: [],
    kept: false,
  };
}
