import type { App } from "./ctx.ts";
import type { HotFunction } from "./db/hot-function.ts";
import { answering } from "./db/question.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { accounts } from "./features/accounts/feature.ts";
import { audit } from "./features/audit/feature.ts";
import { calls } from "./features/calls/feature.ts";
import { Erasure } from "./features/contacts/erasure.ts";
import { contacts } from "./features/contacts/feature.ts";
import { conversations } from "./features/conversations/feature.ts";
import { EventGroups } from "./features/events/event-groups.ts";
import { events } from "./features/events/feature.ts";
import { front } from "./features/front/feature.ts";
import { identity } from "./features/identity/feature.ts";
import { ingress } from "./features/ingress/feature.ts";
import { keys } from "./features/keys/feature.ts";
import { limits } from "./features/limits/feature.ts";
import { media } from "./features/media/feature.ts";
import { messages } from "./features/messages/feature.ts";
import { metrics } from "./features/metrics/feature.ts";
import { retention } from "./features/retention/feature.ts";
import { sessions } from "./features/sessions/feature.ts";
import { system } from "./features/system/feature.ts";
import { tasks } from "./features/tasks/feature.ts";
import { templates } from "./features/templates/feature.ts";
import { usage } from "./features/usage/feature.ts";
import { webhooks } from "./features/webhooks/feature.ts";
import { workspaces } from "./features/workspaces/feature.ts";
import type { Declared } from "./http/declared.ts";
import { SERVER_TAGS } from "./http/declared.ts";
import { shareDemand } from "./http/request/limits/demand.store.ts";
import type { IdNouns } from "./lib/log.ts";
import { createServices, type Services } from "./process/services.ts";
import { SERVER } from "./server-tables.ts";

/** The features, in the order in which a reader of the API document needs them. */
export const FEATURES: readonly Feature[] = [
  messages,
  media,
  templates,
  webhooks,
  events,
  accounts,
  conversations,
  contacts,
  identity,
  calls,
  workspaces,
  keys,
  sessions,
  audit,
  usage,
  metrics,
  ingress,
  limits,
  tasks,
  retention,
  system,
  front,
];

/** How a process with these features erases a person. The server's own tables come last. */
export const erasureOf = (features: readonly Feature[]): Erasure => new Erasure([...features, SERVER]);

/** The function that answers all questions of the timers of these features. */
export const findWorkOf = (features: readonly Feature[]) =>
  answering(features.flatMap(({ questions }) => questions ?? []));

/** Every hot function of these features and of the HTTP layer: what `migrate` installs. */
export const functionsOf = (features: readonly Feature[]): readonly HotFunction[] => [
  ...features.flatMap((feature) => feature.functions ?? []),
  ...erasureOf(features).functions,
  findWorkOf(features),
  shareDemand,
];
export const HOT_FUNCTIONS = functionsOf(FEATURES);

/** The prefixes of all public ids, each with its noun. */
export const idsOf = (features: readonly Feature[]): IdNouns => Object.assign({}, ...features.map(({ ids }) => ids));

/** What the features of a process run, joined. */
export type BuiltFeatures = Required<Omit<FeatureParts, "tasks" | "stop">> & {
  services: Services;
  /** The closed lists that the API's schemas and document are completed with. */
  declared: Declared;
  /** Each feature's `stop`, in the order of the list. */
  stops: readonly (() => Promise<void>)[];
};

/** What the features know of the process. */
export type ProcessFacts = { version: string; isDevelopment?: boolean };

/** Builds the features of a process; nothing runs yet. */
export function buildFeatures(
  app: App,
  { version, isDevelopment = false }: ProcessFacts,
  features: readonly Feature[] = FEATURES,
): BuiltFeatures {
  const events = new EventGroups(features.flatMap((feature) => feature.events ?? []));
  const services = createServices(app, { version, isDevelopment, events, erasure: erasureOf(features) });
  const parts = features.map((feature) => feature.build?.(app, services) ?? {});
  for (const [kind, handler] of parts.flatMap(({ tasks }) => Object.entries(tasks ?? {})))
    services.tasks.set(kind, handler);
  const kinds = parts.flatMap((part) => part.kinds ?? []);
  services.kinds.push(...kinds);
  return {
    services,
    declared: declaredBy(features, services.events),
    routes: parts.flatMap(({ routes }) => routes ?? []),
    rawRoutes: parts.flatMap(({ rawRoutes }) => rawRoutes ?? []),
    calls: parts.flatMap(({ calls }) => calls ?? []),
    rowsOfCalls: parts.flatMap(({ rowsOfCalls }) => rowsOfCalls ?? []),
    kinds,
    timers: parts.flatMap(({ timers }) => timers ?? []),
    stops: parts.flatMap((part) => (part.stop ? [() => part.stop?.() ?? Promise.resolve()] : [])),
  };
}

const declaredBy = (features: readonly Feature[], events: EventGroups): Declared => ({
  tags: { ...Object.assign({}, ...features.map(({ tags }) => tags)), ...SERVER_TAGS },
  lists: {
    scopes: [...features.flatMap(({ scopes }) => scopes ?? []), "*"],
    event_kinds: ["*", ...events.kinds],
  },
  events: events.shapes,
});
