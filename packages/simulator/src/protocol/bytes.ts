import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** In this context a body is bytes of any type, which `bytesOf` reads as they arrive. */
export function takeBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
}

export function bytesOf({ body }: Pick<FastifyRequest, "body">): AsyncIterable<Uint8Array> {
  return body instanceof Readable ? body : Readable.from([]);
}
