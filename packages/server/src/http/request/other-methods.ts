import { METHODS } from "node:http";
import type { HTTPMethods } from "fastify";
import { Problem } from "../problem.ts";
import { type Surface, type Surfaces, unlistedOn } from "../surface.ts";
import { fastifyPath, type Parts } from "./register.ts";
import type { Match } from "./state.ts";

// All methods that Node parses except CONNECT, which asks for a tunnel and has no path.
const OTHER_METHODS = METHODS.filter((method) => method !== "CONNECT");

/**
 * Answers the methods that a known path does not take: 405 with `Allow`, to callers of the path's surface only, before any body is read.
 * A path that takes none on the surface of the request is unknown there.
 */
export function registerOtherMethods(
  { instance, surfaces, admission }: Pick<Parts, "instance" | "surfaces" | "admission">,
  routes: readonly (Parameters<Surfaces["ofRoute"]>[0] & { method: string })[],
): void {
  for (const method of OTHER_METHODS) {
    if (!instance.supportedMethods.includes(method)) instance.addHttpMethod(method); // as one without a body: a refusal reads none
  }
  const byPath = new Map<string, { path: string; taken: Map<string, Surface> }>();
  for (const route of routes) {
    const { method, path } = route;
    // Names of parameters may differ between the rows of one path.
    const shape = path.replaceAll(/\{\w+\}/g, "{}");
    const known = byPath.get(shape) ?? { path, taken: new Map<string, Surface>() };
    const surface = surfaces.ofRoute(route);
    known.taken.set(method, surface);
    if (method === "GET") known.taken.set("HEAD", surface);
    byPath.set(shape, known);
  }
  for (const { path, taken } of byPath.values()) {
    const matches = matchesOfOthers(path, taken);
    instance.route({
      method: OTHER_METHODS.filter((method) => !taken.has(method)) as HTTPMethods[],
      url: fastifyPath(path),
      onRequest: async (request) => {
        const match = matches.get(request.state.surface) ?? null;
        await admission.admit(request, match);
        // `/v1/messages/` is no path of ours, though the router takes it for a message without an id.
        const isWhole = !Object.values(request.params as Record<string, string>).includes("");
        if (match === null || !isWhole) throw unlistedOn(request.state.surface);
        throw new Problem("method_not_allowed", `This path takes ${match.allow}.`);
      },
      handler: () => undefined,
    });
  }
}

/** By surface: what a request by a method that the path does not take finds there. */
function matchesOfOthers(path: string, taken: ReadonlyMap<string, Surface>): ReadonlyMap<Surface, Match> {
  const matches = new Map<Surface, Match>();
  for (const surface of new Set(taken.values())) {
    const methods = [...taken].filter(([, of]) => of === surface).map(([method]) => method);
    const match = { surface, route: path, row: null, allow: methods.join(", "), headers: null, mostBodyBytes: 0 };
    matches.set(surface, match);
  }
  return matches;
}
