import { METHODS } from "node:http";
import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import type { App } from "../../ctx.ts";
import type { Activity } from "../activity.ts";
import { prepareSchemas, queryReader, type RouteSchemas, type TableSchemas } from "../openapi/schemas.ts";
import { Problem } from "../problem.ts";
import type { AnyRoute, RawRoute } from "../route.ts";
import type { Admit } from "./auth.ts";
import { checkUrl } from "./body.ts";
import { LARGEST_BODY, rawBodies } from "./body-parsers.ts";
import { createRun } from "./handler.ts";
import { runRaw } from "./raw-handler.ts";

type Table = { instance: FastifyInstance; app: App; activity: Activity; admit: Admit };

/** Turns the features' rows into Fastify routes: admission, compiled schemas, handler. */
export function addTable(table: Table, routes: readonly AnyRoute[]): TableSchemas {
  const { rows, definitions } = prepareSchemas(routes);
  for (const definition of definitions) table.instance.addSchema(definition);
  for (const [row, rowSchemas] of rows) addRow(table, row, rowSchemas);
  return { rows, definitions };
}

function addRow({ instance, app, activity, admit }: Table, row: AnyRoute, schemas: RouteSchemas): void {
  const prepare = preparerOf(row, schemas);
  const { response, ...inputs } = schemas;
  instance.route({
    method: row.method,
    url: fastifyPath(row.path),
    bodyLimit: row.maxBytes ?? LARGEST_BODY,
    schema: { ...inputs, response: { [row.status]: response } },
    onRequest: async (request) => {
      await admit(request, row);
      checkUrl(request.raw.url ?? "");
    },
    ...(prepare === null
      ? {}
      : {
          preValidation: (request, _reply, done) => {
            prepare(request);
            done();
          },
        }),
    handler: createRun(app, activity, row),
  });
}

/** What is done to a request before its schemas see it; null: nothing, as for most. */
function preparerOf(row: AnyRoute, schemas: RouteSchemas): ((request: FastifyRequest) => void) | null {
  const readQuery = queryReader(schemas.querystring);
  const { bodyOptional } = row;
  if (readQuery === null && bodyOptional !== true) return null;
  return (request) => {
    readQuery?.(request.query as Record<string, unknown>); // the parser's own object of texts
    if (bodyOptional === true && request.body === undefined) request.body = {};
  };
}

/** Raw routes, in a scope of their own: there bodies are bytes of any type. */
export async function addRaws({ instance, app }: Table, routes: readonly RawRoute[]): Promise<void> {
  await instance.register(async (scope) => {
    rawBodies(scope);
    for (const route of routes) {
      scope.route({
        method: route.method,
        url: fastifyPath(route.path),
        bodyLimit: route.maxBytes,
        onRequest: (request, _reply, done) => {
          request.exchange.route = route.path;
          done();
        },
        handler: runRaw(app, route),
      });
    }
  });
}

// All that Node parses but CONNECT, which asks for a tunnel and names no path.
const OTHER_METHODS = METHODS.filter((method) => method !== "CONNECT");

/** The methods that a known path does not take: 405 with `Allow`, for key holders under `/v1`, before any body is read. */
export function addOtherMethods({ instance, admit }: Table, routes: readonly { method: string; path: string }[]): void {
  for (const method of OTHER_METHODS) {
    if (!instance.supportedMethods.includes(method)) instance.addHttpMethod(method); // without a body: none is read for a refusal
  }
  const byPath = new Map<string, { path: string; taken: Set<string> }>();
  for (const { method, path } of routes) {
    // Names of parameters may differ between the rows of one path.
    const shape = path.replaceAll(/\{\w+\}/g, "{}");
    const known = byPath.get(shape) ?? { path, taken: new Set<string>() };
    known.taken.add(method);
    if (method === "GET") known.taken.add("HEAD");
    byPath.set(shape, known);
  }
  for (const { path, taken } of byPath.values()) {
    const allow = [...taken].join(", ");
    instance.route({
      method: OTHER_METHODS.filter((method) => !taken.has(method)) as HTTPMethods[],
      url: fastifyPath(path),
      onRequest: async (request) => {
        request.exchange.allow = allow;
        await admit(request, null);
        request.exchange.route = path;
        throw new Problem("method_not_allowed", `This path takes ${allow}.`);
      },
      handler: () => undefined,
    });
  }
}

/** `/v1/messages/{id}` → `/v1/messages/:id`. */
const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");
