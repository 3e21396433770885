import { contact, contacts, imports } from "./en/contacts.ts";
import { failures } from "./en/failures.ts";
import { connect, number, numbers, signup } from "./en/numbers.ts";
import { quarantine, system } from "./en/operator.ts";
import { places } from "./en/places.ts";
import { bulk, refused, segment, segments } from "./en/segments.ts";
import { activity, apiKeys, settings } from "./en/settings.ts";
import { versions } from "./en/versions.ts";
import { deliveries, delivery, endpoint, endpoints, events, replay } from "./en/webhooks.ts";
import { workspace, workspaces } from "./en/workspaces.ts";

/** Texts that only some pages have, in English. They are loaded with the first of these pages, and the start of the console is smaller for it. */
export const enPages = {
  contact,
  contacts,
  imports,
  deliveries,
  delivery,
  endpoint,
  endpoints,
  failures,
  events,
  replay,
  numbers,
  number,
  connect,
  signup,
  activity,
  settings,
  apiKeys,
  system,
  quarantine,
  versions,
  places,
  workspaces,
  workspace,
  segments,
  segment,
  bulk,
  refused,
};

export type PageText = typeof enPages;
