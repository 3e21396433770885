import { isRecord, textOf } from "../lib/shape.ts";
import { refusal } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { isOfKind } from "../world/media.ts";
import type { PhoneNumber } from "../world/world.ts";

/** Objects that are files, by their names: of a message, a header, a parameter. */
const KINDS = ["image", "video", "audio", "document", "sticker", "gif"];
/** Beside them stand values of the client, such as those of a flow. */
const NOT_LOOKED_INTO = ["flow_action_payload", "flow_action_data"];

const WRONG_FILE = 131053;

/**
 * The code with which a message fails later because of a file that it names by id: one that is not there for its number, or of another kind
 * than its place takes; null where there is none. Throws the refusal, where it is refused. The documentation says neither the code nor when.
 */
export function checkFiles(sim: Simulation, number: PhoneNumber, body: unknown): number | null {
  const { wrongFiles } = sim.settings;
  const fault = wrongFiles === "allowed" ? undefined : faultOfFiles(sim, number, body);
  if (fault === undefined) return null;
  if (wrongFiles === "refused") throw refusal(WRONG_FILE, fault);
  return WRONG_FILE;
}

function faultOfFiles(sim: Simulation, number: PhoneNumber, content: unknown): string | undefined {
  if (Array.isArray(content)) return first(content, (item) => faultOfFiles(sim, number, item));
  if (!isRecord(content)) return undefined;
  return first(Object.entries(content), ([key, value]) => {
    if (NOT_LOOKED_INTO.includes(key)) return undefined;
    const id = KINDS.includes(key) && isRecord(value) ? textOf(value["id"]) : undefined;
    return id === undefined ? faultOfFiles(sim, number, value) : faultOfFile(sim, number, { kind: key, id });
  });
}

function faultOfFile(sim: Simulation, number: PhoneNumber, { kind, id }: { kind: string; id: string }) {
  const media = sim.media.find(id, sim.clock.nowMs());
  if (media === undefined || media.phoneNumberId !== number.id)
    return `Media ID ${id} does not exist, has expired, or was not uploaded to this phone number.`;
  return isOfKind(media.mimeType, kind) ? undefined : `A file of type ${media.mimeType} cannot be sent as ${kind}.`;
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
