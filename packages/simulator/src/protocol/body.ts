import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ReceivedFile } from "../lib/received-file.ts";
import { graphRefusal } from "./error.ts";
import { readForm } from "./multipart.ts";
import { isGraphPath } from "./version.ts";

/**
 * Graph takes parameters from the query, JSON, a form and multipart alike, whatever the call. In forms objects are
 * written as JSON; files of multipart are `ReceivedFile`. A body of another type has no parameters.
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
  const files = new WeakMap<FastifyRequest, ReceivedFile[]>();
  app.addHook("onRequest", (request, reply, done) => {
    // Of the answer: the request itself closes as soon as its body has been read.
    if (request.headers["content-type"]?.startsWith("multipart/") === true)
      reply.raw.once("close", () => {
        for (const file of files.get(request) ?? []) file.requestEnded();
      });
    done();
  });
  app.addContentTypeParser("multipart/form-data", async (request: FastifyRequest, payload: IncomingMessage) => {
    const form = await readForm(request.raw, payload);
    files.set(
      request,
      form.flatMap(([, part]) => (part instanceof ReceivedFile ? [part] : [])),
    );
    return parametersOf(request, form);
  });
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
