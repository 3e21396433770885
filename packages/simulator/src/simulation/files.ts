import { isRecord, textOf } from "../lib/shape.ts";
import type { Spooled } from "../lib/spool.ts";
import type { Media } from "../world/media.ts";
import type { PhoneNumber } from "../world/world.ts";
import type { Simulation } from "./simulation.ts";

/** Puts a file that a person sends to a number in its place; without an id it is given one. */
export function addPersonsFile(
  sim: Simulation,
  number: PhoneNumber,
  file: { id?: string | undefined; mimeType: string; content: Spooled },
): Media {
  const { id = sim.ids.mediaId(), mimeType, content } = file;
  const media = {
    id,
    phoneNumberId: number.id,
    wabaId: number.account.id,
    source: "person",
    mimeType,
    content,
  } as const;
  return sim.media.add(media, sim.clock.nowMs());
}

/** What a callback says of a file: its digest is in base64 there, and its address is a new one. */
export const shownFile = (sim: Simulation, media: Media): Record<string, unknown> => ({
  id: media.id,
  mime_type: media.mimeType,
  sha256: media.content.sha256.toString("base64"),
  url: addressOf(sim, media, sim.origin),
});

/** The message whose object names a file of the number by `id` alone says the rest of it too; what is given stays. */
export function withFile(sim: Simulation, number: PhoneNumber, message: Record<string, unknown>): void {
  const type = String(message["type"]);
  const object = message[type];
  if (!isRecord(object)) return;
  const media = sim.media.find(textOf(object["id"]) ?? "", sim.clock.nowMs());
  if (media?.phoneNumberId === number.id) message[type] = { ...shownFile(sim, media), ...object };
}

/** A new address of a file; `origin`: that of the simulator, as the caller reaches it. */
export function addressOf(sim: Simulation, media: Media, origin: string): string {
  const url = new URL("/whatsapp_business/attachments/", origin);
  url.searchParams.set("mid", media.id);
  url.searchParams.set("hash", sim.media.address(media, sim.clock.nowMs()));
  return url.href;
}

/** The type as the table of types has it: without parameters, in lower case. */
export const bareType = (mimeType: string): string => (mimeType.split(";", 1)[0] ?? "").trim().toLowerCase();
