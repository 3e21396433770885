/** As `src/pages/phone-view.ts` says them. */
export type Message = {
  id: string;
  by: "business" | "person";
  at: number;
  phone_number_id: string;
  person: string;
  type: string;
  message: Readonly<Record<string, unknown>> | null;
  components: readonly Readonly<Record<string, unknown>>[] | null;
  status: string | null;
  code: number | null;
  read: boolean;
};
export type Person = { id: string; name: string; username: string | null; on_whatsapp: boolean };
export type Shop = { id: string; name: string; phone: string };
export type Chat = { person: string; phone_number_id: string; window_until: number; marketing_stopped: boolean };
export type World = { numbers: Shop[]; people: Person[]; chats: Chat[] };

/** The newest messages are kept: a page stays open for days. */
const KEPT = 1_000;

/** What the page knows, and whose phone is looked at: `#15551230001`, or with the number of a business `#15551230001/1055`. */
export class State {
  shops: Shop[] = [];
  #people: Person[] = [];
  #chats: Chat[] = [];
  readonly #messages = new Map<string, Message>();
  /** When the phone of a person was last looked at. */
  readonly #seen = new Map<string, number>();

  set world({ numbers, people, chats }: World) {
    this.shops = numbers;
    this.#people = people;
    this.#chats = chats;
  }

  /** All that there is. Messages of before, if a simulator was reset, are gone. */
  reset(messages: readonly Message[]): void {
    this.#messages.clear();
    this.take(messages);
    const now = Date.now();
    for (const { person } of messages) if (!this.#seen.has(person)) this.#seen.set(person, now);
  }

  take(messages: readonly Message[]): void {
    for (const message of messages) this.#messages.set(`${message.by} ${message.id}`, message);
    for (const key of this.#messages.keys()) {
      if (this.#messages.size <= KEPT) break;
      this.#messages.delete(key);
    }
  }

  /** Those with the newest message first, then as the simulator lists them; with the one looked at, who may be none of them. */
  get people(): Person[] {
    const newest = new Map<string, number>();
    for (const { person, at } of this.#messages.values()) newest.set(person, Math.max(at, newest.get(person) ?? 0));
    const listed = this.#people.some(({ id }) => id === this.person.id) ? [] : [this.person];
    return [...this.#people, ...(this.person.id === "" ? [] : listed)].sort(
      (a, b) => (newest.get(b.id) ?? 0) - (newest.get(a.id) ?? 0),
    );
  }

  /** Whose phone it is; without one in the address none. */
  get person(): Person {
    const [id = ""] = place();
    return this.#people.find((one) => one.id === id) ?? { id, name: written(id), username: null, on_whatsapp: true };
  }

  /** The business of the chat that is open: the one in the address, or of the newest message, or the first. */
  get shop(): Shop | undefined {
    const [person, number] = place();
    const last = this.ofPerson(person ?? "").at(-1)?.phone_number_id;
    const find = (id: string | undefined) => this.shops.find((one) => one.id === id);
    return find(number) ?? find(last) ?? this.shops[0];
  }

  ofPerson(person: string): Message[] {
    return [...this.#messages.values()].filter((one) => one.person === person).sort((a, b) => a.at - b.at);
  }

  get chat(): Message[] {
    return this.ofPerson(this.person.id).filter((one) => one.phone_number_id === this.shop?.id);
  }

  get terms(): Chat | undefined {
    return this.#chats.find((one) => one.person === this.person.id && one.phone_number_id === this.shop?.id);
  }

  /** Messages of businesses since the person's phone was last looked at. */
  unseen(person: string): number {
    const since = this.#seen.get(person) ?? 0;
    return this.ofPerson(person).filter((one) => one.by === "business" && one.at > since).length;
  }

  look(): void {
    this.#seen.set(this.person.id, Date.now());
  }
}

const place = (): string[] => location.hash.slice(1).split("/").map(decodeURIComponent);

/** The address of a person's phone, open at the chat with a business. */
export const addressOf = (person: string, shop?: string): string =>
  `#${encodeURIComponent(person)}${shop === undefined ? "" : `/${encodeURIComponent(shop)}`}`;

/** A number as people write it; a user id as it is. */
export function written(id: string): string {
  const american = /^1(\d{3})(\d{3})(\d{4})$/.exec(id);
  if (american !== null) return `+1 ${american.slice(1).join(" ")}`;
  return /^\d+$/.test(id) ? `+${id}` : id;
}
