import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../../problem.ts";
import { parseBody } from "./parse-body.ts";
import type { Bodies } from "./receive-body.ts";

/** Bytes of a JSON body; a row may take more. */
export const LARGEST_BODY = 256 * 1024;

const UTF_8 = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*$/i;

/** Makes the instance take JSON in UTF-8 and nothing else. An empty body counts as none: clients send one with POSTs that need no body. */
export function takeJsonBodies(instance: FastifyInstance, bodies: Bodies): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("application/json", (request, _payload, done) => {
    const refusal = refusalOf(request);
    if (refusal) return done(refusal, undefined);
    // As bytes: decoding to text would silently replace broken UTF-8.
    bodies.receive(request, (error, bytes) => {
      if (error || bytes === undefined || bytes.length === 0) return done(error, undefined);
      let body: unknown;
      try {
        body = parseBody(bytes, request.state);
      } catch (problem) {
        return done(problem as Problem, undefined); // nothing else is thrown
      }
      done(null, body);
    });
  });
}

function refusalOf(request: FastifyRequest): Problem | null {
  const { "content-type": type = "", "content-encoding": encoding } = request.headers;
  if (encoding !== undefined && encoding !== "identity")
    return new Problem("unsupported_media_type", "Send the body without a Content-Encoding.");
  if (type !== "application/json" && !UTF_8.test(type))
    return new Problem("unsupported_media_type", "Send the body as application/json in UTF-8.");
  return null;
}

/** Makes the instance take a body of any content type, as the bytes that arrived. */
export function takeRawBodies(instance: FastifyInstance, bodies: Bodies): void {
  instance.removeAllContentTypeParsers();
  // Fastify refuses a type that it cannot parse ahead of every parser, and the type says nothing here.
  instance.addHook("onRequest", (request, _reply, done) => {
    delete request.raw.headers["content-type"];
    done();
  });
  instance.addContentTypeParser("*", (request, _payload, done) => bodies.receive(request, done));
}

/** Leaves a body of any type in its socket, for who reads it as a stream. */
export function leaveBodies(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
}
