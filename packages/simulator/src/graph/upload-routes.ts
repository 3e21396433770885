import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { bytesOf, takeBytes } from "../protocol/bytes.ts";
import { graphRefusal } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { parameterRefusal } from "../templates/refusal.ts";
import type { Session } from "../world/uploads.ts";
import { authenticate, type GraphPath, type GraphRequest, parameter } from "./request.ts";

/** The largest document (provider reference 5). */
const MOST_BYTES = 100 * 1_048_576;
const TYPES = /^(application|image|video|text)\/[\w.+-]+$/;

type UploadPath = { Params: { version: string; session: string }; Querystring: Record<string, string | undefined> };
type UploadRequest = FastifyRequest<UploadPath>;
/** `::` is a colon of the path itself. */
const SESSION_PATH = "/:version/upload:::session";

/** The resumable upload of samples for media headers (provider reference 5, last line). */
export function registerUploadRoutes(app: FastifyInstance, sim: Simulation): void {
  app.post<GraphPath>("/:version/:id/uploads", (request) => {
    authenticate(sim, request);
    if (request.params.id !== sim.app.id) throw graphRefusal(100, "(#100) Uploads belong to the app.", { subcode: 33 });
    const length = Number(parameter(request, "file_length"));
    const type = parameter(request, "file_type") ?? "";
    if (!Number.isInteger(length) || length < 1 || length > MOST_BYTES)
      throw parameterRefusal("file_length is not valid.");
    if (!TYPES.test(type)) throw parameterRefusal("file_type is not valid.");
    return { id: sim.uploads.begin(length, type).id };
  });

  // In a context of its own, where a body is bytes of any type.
  void app.register((bytes, _options, done) => {
    takeBytes(bytes);
    bytes.post<UploadPath>(SESSION_PATH, (request) => receive(sim, request));
    bytes.get<UploadPath>(SESSION_PATH, (request) => {
      const session = sessionOf(sim, request);
      return { id: session.id, file_offset: session.received };
    });
    done();
  });
}

function sessionOf(sim: Simulation, request: UploadRequest): Session {
  authenticate(sim, request as unknown as GraphRequest); // it reads the version, the headers and the query
  const { session } = request.params;
  const id = `upload:${session}?sig=${request.query["sig"] ?? ""}`;
  const found = sim.uploads.find(id);
  if (found === undefined) throw graphRefusal(100, "(#100) The upload session does not exist.", { subcode: 33 });
  return found;
}

async function receive(sim: Simulation, request: UploadRequest): Promise<{ h: string }> {
  const session = sessionOf(sim, request);
  if (Number(request.headers["file_offset"]) !== session.received)
    throw graphRefusal(100, `(#100) file_offset must be ${session.received}.`);
  const digest = createHash("sha256").update(session.id);
  let received = 0;
  for await (const chunk of bytesOf(request)) {
    received += chunk.length;
    digest.update(chunk);
  }
  if (session.received + received > session.length) throw graphRefusal(100, "(#100) This is more than file_length.");
  session.received += received;
  if (session.received !== session.length) throw graphRefusal(100, "(#100) Partial upload: the file is not complete.");
  return { h: sim.uploads.finish(session, digest.digest("base64url")) };
}
