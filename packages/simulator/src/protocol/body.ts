import type { FastifyInstance, FastifyRequest } from "fastify";
import { graphRefusal } from "./error.ts";
import { isGraphPath } from "./version.ts";

/** The largest document, and what a form has around it (provider reference 5). */
const MULTIPART_BYTES = 101 * 1024 * 1024;

/**
 * Graph takes parameters from the query, JSON, a form and multipart alike, whatever the call. In forms objects are
 * written as JSON; files of multipart are `File`. A body of another type has no parameters.
 */
export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? undefined : JSON.parse(String(body)));
    } catch {
      done(graphRefusal(100, "(#100) Invalid JSON in the request body"));
    }
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (request, body, done) => {
    done(null, parametersOf(request, new URLSearchParams(String(body))));
  });
  app.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer", bodyLimit: MULTIPART_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
        throw graphRefusal(100, "(#100) The multipart body cannot be read");
      });
      return parametersOf(request, form);
    },
  );
  // The control API says what it does not read; Graph takes no notice of it and misses the parameters.
  app.addContentTypeParser("*", (request, payload, done) => {
    payload.resume();
    if (isGraphPath(request.url)) done(null, undefined);
    else done(Object.assign(new Error("a body is JSON"), { statusCode: 415 }));
  });
}

function parametersOf(request: FastifyRequest, form: Iterable<[string, unknown]>): Record<string, unknown> {
  const isGraph = isGraphPath(request.url);
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, isGraph && typeof value === "string" ? decoded(value) : value]),
  );
}

function decoded(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
