import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../route.ts";

/**
 * Parts that operations have in common. Each is in the document once, by name, and operations refer to it, so that a change of it
 * is one change of the document and client generators give it one type.
 */
export class SharedParts {
  readonly #parts: Record<Section, Map<string, Schema>> = { responses: new Map(), parameters: new Map() };

  /** The reference to this part. A name stands for one part: another one under the same name is a fault of the code. */
  refer(section: Section, name: string, part: Schema): Schema {
    const known = this.#parts[section].get(name);
    if (known !== undefined && !isDeepStrictEqual(known, part)) throw new Error(`two different ${section} are ${name}`);
    this.#parts[section].set(name, part);
    return { $ref: `#/components/${section}/${name}` };
  }

  /** By name, in alphabetical order: where the first use is does not matter. */
  all(section: Section): Schema {
    return Object.fromEntries([...this.#parts[section]].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
}

type Section = "responses" | "parameters";
