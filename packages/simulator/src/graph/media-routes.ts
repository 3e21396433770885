import type { FastifyInstance } from "fastify";
import { grantedAccounts } from "../accounts/signups.ts";
import { ReceivedFile } from "../lib/received-file.ts";
import { isRecord } from "../lib/shape.ts";
import { graphRefusal, refusal, unknownObject } from "../protocol/error.ts";
import { addressOf, bareType } from "../simulation/files.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { MEDIA_TYPES, type Media, mostBytes } from "../world/media.ts";
import type { Account } from "../world/world.ts";
import { deleteFlow, type Flows } from "./flows.ts";
import { FILE_ADDRESS } from "./management-operations.ts";
import {
  authenticate,
  type GraphPath,
  type GraphRequest,
  originOf,
  parameter,
  phoneNumberIn,
  selectFields,
  tokenOf,
  verbOf,
} from "./request.ts";

const MEDIA_FIELDS = ["url", "mime_type", "sha256", "file_size", "messaging_product"] as const;

/** Media of messages: upload, read, delete, and the file at its address (provider reference 5). */
export function registerMediaRoutes(app: FastifyInstance, sim: Simulation, flows: Flows): void {
  app.post<GraphPath>("/:version/:id/media", (request) => {
    const number = phoneNumberIn(sim, authenticate(sim, request), request);
    if (parameter(request, "messaging_product") !== "whatsapp") {
      throw graphRefusal(100, "(#100) The parameter messaging_product is required.");
    }
    const file = isRecord(request.body) ? request.body["file"] : undefined;
    if (!(file instanceof ReceivedFile)) throw graphRefusal(100, "(#100) The parameter file is required.");
    // The type of the part wins where the parameter only names a class, as some clients do.
    const written = parameter(request, "type") ?? "";
    const mimeType = bareType(written.includes("/") ? written : file.mimeType);
    const most = mostBytes(mimeType);
    if (most === undefined) {
      const known = MEDIA_TYPES.join(", ");
      throw graphRefusal(
        100,
        `(#100) Param file must be a file with one of the following types: ${known}. Received file of type '${mimeType}'.`,
      );
    }
    const { size } = file.content;
    if (size === 0) throw graphRefusal(100, "(#100) Param file must not be empty.");
    if (size > most) throw refusal(131053, `A file of type ${mimeType} has at most ${most} bytes.`);
    const media = { id: sim.ids.mediaId(), phoneNumberId: number.id, wabaId: number.account.id, mimeType };
    return { id: sim.media.add({ ...media, source: "upload", content: file.keep() }, sim.clock.nowMs()).id };
  });

  app.delete<GraphPath>("/:version/:id", (request) => {
    const accounts = authenticate(sim, request);
    const media = mediaIn(sim, accounts, request);
    const deleted = media === undefined ? deleteFlow(flows, request, accounts) : { success: true };
    if (deleted === undefined) throw unknownObject(request.params.id, verbOf(request));
    if (media !== undefined) sim.media.delete(media.id);
    return deleted;
  });

  // It answers with the file or without a body.
  app.get<GraphPath>(FILE_ADDRESS, (request, reply) => {
    const media = sim.media.at(request.query["hash"] ?? "", sim.clock.nowMs());
    const token = tokenOf(request) ?? "";
    const accounts = grantedAccounts(sim, token, true) ?? sim.world.accountsByToken.get(token) ?? [];
    if (accounts.length === 0) return reply.code(401).send();
    if (media === undefined || !accounts.some(({ id }) => id === media.wabaId)) return reply.code(404).send();
    return reply.type(media.mimeType).header("content-length", media.content.size).send(media.content.read());
  });
}

/** The file that the request names within the token's reach; with `phone_number_id` only of that number. */
export function mediaIn(sim: Simulation, accounts: readonly Account[], request: GraphRequest): Media | undefined {
  const media = sim.media.find(request.params.id, sim.clock.nowMs());
  const numberId = parameter(request, "phone_number_id");
  if (media === undefined || (numberId !== undefined && numberId !== media.phoneNumberId)) return undefined;
  return accounts.some(({ id }) => id === media.wabaId) ? media : undefined;
}

/** `GET /{media-id}`: each reading makes an address of its own. */
export function readMedia(sim: Simulation, request: GraphRequest, media: Media): Record<string, unknown> {
  const node = {
    messaging_product: "whatsapp",
    url: addressOf(sim, media, originOf(request)),
    mime_type: media.mimeType,
    sha256: media.content.sha256.toString("hex"),
    file_size: String(media.content.size),
    id: media.id,
  };
  return selectFields(request, node, MEDIA_FIELDS);
}
