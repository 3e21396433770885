import { Type } from "typebox";
import { type AnyKind, type OpenUnion, spellEach } from "../open-union.ts";

/** No component of a template takes more; this bounds the work of checking them. */
const MOST_PARAMETERS = 100;

/** Schema of a component's parameters. */
export const parametersOf = (union: OpenUnion, most = MOST_PARAMETERS) => ({
  parameters: Type.Optional(Type.Array(union.schema, { maxItems: most })),
});

/** What a component does about each of its parameters. */
export const ofParameters = (union: OpenUnion) => ({
  check({ parameters }: { parameters?: readonly AnyKind[] }, at: string): void {
    for (const [index, parameter] of (parameters ?? []).entries()) union.check(parameter, `${at}/parameters/${index}`);
  },
  spell: ({ parameters }: AnyKind): void => spellEach(union, parameters),
});
