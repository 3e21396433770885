import type { Event, Message } from "@waypost/sdk";

/** The message that an event is about; null where it is about none. */
export const messageOf = ({ data }: Event): Message | null => (data as { message?: Message | null }).message ?? null; // by its kind
