import { list, whole } from "./values.ts";

/** Days for which each class of rows is kept. */
export type RetentionDays = {
  messages: number;
  events: number;
  deliveries: number;
  audit: number;
  callbacks: number;
  media: number;
};

/** A table has at most 60 partitions (more slow down each statement): 55 months, or 44 days, and those created ahead. */
const MONTHS_MOST = 1_650;
const DAYS_MOST = 44;

/** By class: the default in days, and the bounds. Scheduled sends and late statuses need their message for a week. */
const CLASSES: Record<keyof RetentionDays, { days: number; least: number; most: number }> = {
  messages: { days: 365, least: 7, most: MONTHS_MOST },
  events: { days: 30, least: 1, most: DAYS_MOST },
  deliveries: { days: 30, least: 1, most: DAYS_MOST },
  audit: { days: 365, least: 1, most: MONTHS_MOST },
  callbacks: { days: 30, least: 1, most: DAYS_MOST },
  media: { days: 30, least: 1, most: 3_650 },
};

const isClass = (name: string): name is keyof RetentionDays => Object.hasOwn(CLASSES, name);

/** `messages=365,events=30`; classes that are not named keep their default. */
export function retention(value: string): RetentionDays {
  const given = new Map<keyof RetentionDays, number>();
  for (const part of list(value)) {
    const [name = "", days = "", ...rest] = part.split("=");
    if (!isClass(name) || rest.length > 0 || given.has(name))
      throw new Error(`a comma list such as messages=365 of ${Object.keys(CLASSES).join(", ")}, each once`);
    given.set(name, bounded(name, days));
  }
  const of = (name: keyof RetentionDays): number => given.get(name) ?? CLASSES[name].days;
  return {
    messages: of("messages"),
    events: of("events"),
    deliveries: of("deliveries"),
    audit: of("audit"),
    // Endpoints in the provider's format get their events out of these.
    callbacks: Math.max(of("callbacks"), of("events")),
    media: of("media"),
  };
}

function bounded(name: keyof RetentionDays, days: string): number {
  const { least, most } = CLASSES[name];
  try {
    return whole(days, least, most);
  } catch {
    throw new Error(`${name}=<days> with ${least} to ${most} days`);
  }
}
