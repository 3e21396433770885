import type { HotFunction } from "./db/hot-function.ts";
import { ingestQueue } from "./features/ingress/ingress.store.ts";
import { INGRESS_FUNCTIONS } from "./features/ingress/ingress.ts";
import { MESSAGE_FUNCTIONS } from "./features/messages/feature.ts";
import { queueFunctions } from "./lanes/queue.ts";

/** Every hot function of the features and the lanes: what `migrate` installs. */
export const HOT_FUNCTIONS: readonly HotFunction[] = [
  ...MESSAGE_FUNCTIONS,
  ...INGRESS_FUNCTIONS,
  ...queueFunctions(ingestQueue),
];
