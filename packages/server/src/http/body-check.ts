import type { TSchema } from "typebox";
import { once } from "../lib/once.ts";
import { prepareBody } from "./openapi/schemas.ts";
import { Problem } from "./problem.ts";
import { LARGEST_BODY } from "./request/bodies/body.ts";
import { parseBody } from "./request/bodies/parse-body.ts";
import { compileAlone } from "./request/compilers.ts";
import { invalid } from "./request/errors.ts";
import type { CheckedBody } from "./route.ts";

/**
 * A check of bodies by a schema that does not need a server: what a request would be refused for, a feature that has the body from
 * elsewhere is refused for too, with the same problem. A process compiles it once, for rows that name it as `check` and for features.
 */
export class BodyCheck implements CheckedBody {
  readonly #validator;

  constructor(schema: TSchema) {
    this.#validator = once(() => {
      const { body, definitions } = prepareBody(schema);
      return compileAlone(body, definitions);
    });
  }

  compile(): void {
    this.#validator();
  }

  refusalOf(body: unknown): Problem | null {
    const validate = this.#validator();
    return validate(body) === true ? null : invalid(validate.errors ?? []);
  }
}

/** A copy of the value as a request would bring it. Throws the Problem of one that no request can bring, or that the database refuses. */
export function asBody(value: unknown): unknown {
  const bytes = Buffer.from(textOf(value));
  if (bytes.length > LARGEST_BODY) throw new Problem("payload_too_large", "The body is larger than this path takes.");
  return parseBody(bytes);
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    // A circle, a bigint, or more levels than the stack has room for: the error's own text may quote a value.
    throw new Problem("invalid_json", "The body cannot be written as JSON.");
  }
}
