import type { FastifyReply, FastifyRequest } from "fastify";
import { once } from "../../../lib/once.ts";
import type { Passage } from "../../call.ts";
import type { RouteSchemas } from "../../openapi/schemas.ts";
import { notFound, type Problem } from "../../problem.ts";
import type { AnyRoute, Schema } from "../../route.ts";
import { requireRights } from "../admission.ts";
import { compileAlone } from "../compilers.ts";
import { invalid } from "../errors.ts";
import type { Answered, RouteHandler } from "../handler.ts";

type Part = "params" | "querystring" | "body";
type Entry = { row: AnyRoute; handler: RouteHandler; check(request: FastifyRequest): void };

/** The rows that calls can go through, each with its handler and the checks that Fastify would have done. */
export class Passages {
  readonly #entries = new Map<string, Entry>();

  /** `prepare`: what is done to a request ahead of its checks; null for nothing. */
  add(
    row: AnyRoute,
    of: {
      handler: RouteHandler;
      schemas: RouteSchemas;
      definitions: readonly Schema[];
      prepare: ((request: FastifyRequest) => void) | null;
    },
  ): void {
    const { handler, schemas, definitions, prepare } = of;
    const parts = {
      params: schemas.params && validator(schemas.params, definitions),
      querystring: validator(schemas.querystring, definitions),
      body: schemas.body && row.check === undefined ? validator(schemas.body, definitions) : undefined,
    };
    const refuse = (part: Part, value: unknown): void => {
      const faults = parts[part]?.(value) ?? null;
      if (faults === null) return;
      throw part === "params" ? notFound() : invalid(faults, part === "querystring");
    };
    const check = (request: FastifyRequest): void => {
      prepare?.(request);
      refuse("params", request.params);
      refuse("querystring", request.query);
      if (row.body === undefined) return;
      const refusal: Problem | null = row.check?.refusalOf(request.body ?? null) ?? null;
      if (refusal !== null) throw refusal;
      if (row.check === undefined) refuse("body", request.body ?? null);
    };
    this.#entries.set(`${row.method} ${row.path}`, { row, handler, check });
  }

  /** The row of this name. Throws for one that there is not: a call names it wrongly. */
  rowOf(name: string): AnyRoute {
    return this.#entry(name).row;
  }

  /** Lets a row answer in the place of a call. */
  async pass(name: string, passage: Passage, request: FastifyRequest, reply: FastifyReply): Promise<Answered> {
    const { row, handler, check } = this.#entry(name);
    requireRights(request.state.actor, row);
    request.state.passing(row);
    request.params = passage.params ?? {};
    request.query = passage.query ?? {};
    request.body = passage.body;
    check(request);
    return await handler.pass(request, reply, passage);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`there is no row ${name}`);
    return entry;
  }
}

type Faults = Parameters<typeof invalid>[0];

/** Compiled when it is first needed. */
function validator(schema: Schema, definitions: readonly Schema[]): (value: unknown) => Faults | null {
  const compiled = once(() => compileAlone(schema, definitions));
  return (value) => {
    const validate = compiled();
    return validate(value) ? null : ((validate.errors ?? []) as Faults);
  };
}
