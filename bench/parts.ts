import { accept } from "./accept.ts";
import { audit } from "./audit.ts";
import { burstOf } from "./burst.ts";
import { contacts } from "./contacts.ts";
import { feed, streams } from "./feed.ts";
import { emptyAndFilled } from "./filled.ts";
import { front } from "./front.ts";
import { imports } from "./import.ts";
import { inbound } from "./inbound.ts";
import { latency } from "./latency.ts";
import { lists } from "./lists.ts";
import { mixed } from "./mixed.ts";
import { neighbours } from "./neighbours.ts";
import { newRecipients, type Part } from "./part.ts";
import { quiet } from "./quiet.ts";
import { replay } from "./replay.ts";
import { start } from "./start.ts";
import { statuses } from "./statuses.ts";
import { usage } from "./usage.ts";
import { webhooks } from "./webhooks.ts";
import { receiveAll, sendAll } from "./work.ts";

const sends: Part = {
  name: "sends",
  title: "accepted and sent, the provider answers after 5 ms, distinct recipients",
  bounds: { "sent/s": { atLeast: 1_000 } },
  work: (run, extent) => sendAll(run, extent, "amount" in extent ? { recipients: newRecipients(extent.amount) } : {}),
};

const deliveries: Part = {
  name: "deliveries",
  title: "accepted, sent, and one signed delivery of it",
  events: ["accepted"],
  prepare: (run) => sendAll(run, { amount: run.known.recipients }, { deliveries: 1 }),
  work: (run, extent) => sendAll(run, extent, { deliveries: 1 }),
};

const life: Part = {
  name: "life",
  title: "accepted, sent, `sent` and `delivered` reported, three signed deliveries",
  events: ["*"],
  // A new contact is one more event, which no round may meet.
  prepare: (run) => sendAll(run, { amount: run.known.recipients }, { deliveries: 2 }),
  work: (run, extent) => sendAll(run, extent, { reported: true, deliveries: 3 }),
};

const callbacks: Part = {
  name: "callbacks",
  title: "inbound messages, each with one signed delivery",
  events: ["messages"],
  prepare: (run) => receiveAll(run, { amount: run.known.recipients }),
  work: receiveAll,
};

/** In the order in which they run. Some have several cases. */
export const PARTS: readonly Part[] = [
  ...accept,
  sends,
  { ...sends, title: `${sends.title}, 1,000 workspaces`, workspaces: 1_000 },
  mixed,
  front,
  latency,
  deliveries,
  life,
  callbacks,
  ...statuses,
  ...accept.slice(0, 1).map(burstOf),
  burstOf(life),
  start,
  quiet,
  neighbours,
  inbound,
  webhooks,
  replay,
  imports,
  ...[...accept.slice(0, 1), sends].map(emptyAndFilled),
  usage,
  audit,
  contacts,
  lists,
  feed,
  streams,
];
