import { isRecord, textOf } from "../lib/shape.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Person } from "../world/people.ts";
import type { InboundEntry } from "../world/received.ts";
import type { SentEntry } from "../world/sent.ts";
import { type TemplateComponent, templateKey } from "../world/template.ts";
import { isUserId } from "../world/user-ids.ts";

// What the virtual phone shows, as plain values; `packages/simulator/web/phone` draws it.

/** Messages that the phone begins with, of each direction the newest. */
const SHOWN = 300;
/** People that are listed without a message: those that control has set up. */
const LISTED = 200;

/** `person` is the number, or the user id where only that is known; `at` in epoch milliseconds. */
export type PhoneMessage = {
  id: string;
  by: "business" | "person";
  at: number;
  phone_number_id: string;
  person: string;
  type: string;
  /** The keys of the message; null: they are not kept any more. */
  message: Readonly<Record<string, unknown>> | null;
  /** Of a template that is there: its definition. */
  components: readonly TemplateComponent[] | null;
  /** Of the business's: the last one reported. */
  status: string | null;
  code: number | null;
  /** Of the person's: whether the business has read it. */
  read: boolean;
};

export type PhonePerson = { id: string; name: string; username: string | null; on_whatsapp: boolean };
/** `window_until` in milliseconds of the simulator's clock; 0: it was never open. */
export type PhoneChat = { person: string; phone_number_id: string; window_until: number; marketing_stopped: boolean };

export type PhoneWorld = {
  numbers: { id: string; name: string; phone: string }[];
  people: PhonePerson[];
  chats: PhoneChat[];
};

/** The newest messages, the oldest of them first. */
export function phoneMessages(sim: Simulation): PhoneMessage[] {
  const sent = sim.sent.read(Math.max(0, sim.sent.total - SHOWN), SHOWN, () => true).data;
  const received = sim.inbound.read(Math.max(0, sim.inbound.total - SHOWN), SHOWN, () => true).data;
  const shown = [...sent.map((entry) => sentMessage(sim, entry)), ...received.map((entry) => receivedMessage(entry))];
  return shown.filter((message) => message !== null).sort((a, b) => a.at - b.at);
}

/** Null of what no phone shows: refused sends, and marks that something was read. */
export function sentMessage(sim: Simulation, entry: SentEntry): PhoneMessage | null {
  if (entry.accepted !== true || entry.id === null) return null;
  const message = isRecord(entry.request) ? entry.request : null;
  return {
    id: entry.id,
    by: "business",
    at: entry.at,
    phone_number_id: entry.phone_number_id,
    person: personOf(sim, entry),
    type: entry.type ?? "text",
    message,
    components: componentsOf(sim, entry, message?.["template"]),
    status: entry.status,
    code: entry.code,
    read: false,
  };
}

export const receivedMessage = ({
  at,
  id,
  phone_number_id,
  from,
  type,
  message,
  read,
}: InboundEntry): PhoneMessage => ({
  id,
  by: "person",
  at,
  phone_number_id,
  person: from,
  type,
  message,
  components: null,
  status: null,
  code: null,
  read,
});

/** Businesses, people with a name or a message, and what each business knows of them. */
export function phoneWorld(sim: Simulation, messages: readonly PhoneMessage[]): PhoneWorld {
  const numbers = [...sim.world.phoneNumbers.values()];
  const people = new Map<string, Person | undefined>();
  for (const person of sim.world.people.kept(LISTED)) if (person.waId !== null) people.set(person.waId, person);
  for (const { person } of messages) people.set(person, find(sim, person));
  const chats = [...people].flatMap(([id, person]) =>
    numbers.flatMap((number) => {
      const chat = person === undefined ? undefined : number.chats.get(person);
      if (chat === undefined) return [];
      const { windowUntil: window_until, marketingStopped: marketing_stopped } = chat;
      return [{ person: id, phone_number_id: number.id, window_until, marketing_stopped }];
    }),
  );
  return {
    numbers: numbers.map(({ id, verifiedName: name, displayPhoneNumber: phone }) => ({ id, name, phone })),
    people: [...people].map(([id, person]) => ({
      id,
      name: person?.name ?? id,
      username: person?.username ?? null,
      on_whatsapp: person?.onWhatsApp ?? true,
    })),
    chats,
  };
}

const find = (sim: Simulation, id: string): Person | undefined =>
  isUserId(id) ? sim.world.people.byLiveUserId(id) : sim.world.people.find(id);

// A message to a user id belongs into the chat of the number behind it, which the person's phone shows all the same.
function personOf(sim: Simulation, { user_id, wa_id }: SentEntry): string {
  if (user_id === null) return wa_id ?? "";
  return sim.world.people.byLiveUserId(user_id)?.waId ?? user_id;
}

function componentsOf(sim: Simulation, entry: SentEntry, sent: unknown): readonly TemplateComponent[] | null {
  if (entry.template === null || !isRecord(sent)) return null;
  const language = isRecord(sent["language"]) ? (textOf(sent["language"]["code"]) ?? "") : "";
  const account = sim.world.phoneNumbers.get(entry.phone_number_id)?.account;
  return account?.templates.get(templateKey(entry.template, language))?.components ?? null;
}
