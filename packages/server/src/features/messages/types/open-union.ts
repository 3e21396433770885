import { type Static, type TSchema, Type } from "typebox";

/** One kind of content among several that the value of a field, the tag, distinguishes. */
export type Kind = {
  /** The value of the tag. */
  name: string;
  /** The whole content, the tag included as a literal. */
  content: TSchema;
  /** Throws the Problem of content that the schema allows and the provider would refuse. `at` points at the content. */
  check?(content: never, at: string): void;
  /** Writes values that are taken in any case as the schema has them. The schema has not checked the content yet. */
  spell?(content: AnyKind): void;
};

/** A kind with a check of what its schema has let pass. */
export const kind = <Content extends TSchema>(given: {
  name: string;
  content: Content;
  check?(content: Static<Content>, at: string): void;
  spell?(content: AnyKind): void;
}): Kind => given as Kind;

/** Content of any kind: the kinds' own checks know their fields, and others reach the provider as they are. */
export type AnyKind = Record<string, unknown>;

/**
 * Content of several kinds. The known ones are checked, and what names another passes: the provider may have kinds that are
 * not modelled here. In the document it is a union of them all (`http/openapi/schema-parts.ts`).
 */
export class OpenUnion {
  readonly schema: ReturnType<typeof Type.Unsafe<AnyKind>>;
  readonly #tag: string;
  readonly #inAnyCase: boolean;
  readonly #kinds: ReadonlyMap<string, Kind>;

  /**
   * `tagged: false`: content without the tag passes too. `inAnyCase`: the known tags, which are in small letters, may be given in
   * capitals. `fields` are those that every kind has, others included.
   */
  constructor(
    tag: string,
    kinds: readonly Kind[],
    { tagged = true, inAnyCase = false, fields = {}, ...texts }: UnionOptions,
  ) {
    this.#tag = tag;
    this.#inAnyCase = inAnyCase;
    this.#kinds = new Map(kinds.map((one) => [one.name, one]));
    this.schema = Type.Unsafe({
      ...texts,
      type: "object",
      required: [...(tagged ? [tag] : []), ...requiredOf(fields)],
      properties: { ...fields, [tag]: { type: "string", minLength: 1 } },
      additionalProperties: true,
      if: {
        required: [tag],
        properties: { [tag]: { enum: kinds.map(({ name }) => name) } },
        additionalProperties: true,
      },
      // Only the schema that the tag names is tried, so that a fault is reported at its place.
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: [tag], discriminator: { propertyName: tag }, oneOf: kinds.map(({ content }) => content) },
    });
  }

  /** Writes what is taken in any case as the schema has it, before the schema checks it. Anything may be given. */
  spell(content: unknown): void {
    if (typeof content !== "object" || content === null) return;
    const fields = content as AnyKind;
    const given = fields[this.#tag];
    if (typeof given !== "string") return;
    const known = this.#kinds.get(this.#inAnyCase ? given.toLowerCase() : given);
    if (known === undefined) return;
    fields[this.#tag] = known.name;
    known.spell?.(fields);
  }

  /** Throws the Problem of content that fits the schema and would be refused. */
  check(content: AnyKind, at: string): void {
    const tag = content[this.#tag];
    if (typeof tag === "string") this.#kinds.get(tag)?.check?.(content as never, at); // of this kind: its schema has passed
  }
}

const requiredOf = (fields: Record<string, TSchema>): string[] =>
  Object.keys(fields).filter((name) => !Type.IsOptional(fields[name]));

type UnionOptions = {
  $id: string;
  description?: string;
  tagged?: boolean;
  inAnyCase?: boolean;
  fields?: Record<string, TSchema>;
};

/** Spells each item of what should be an array. */
export function spellEach(union: OpenUnion, items: unknown): void {
  if (Array.isArray(items)) for (const item of items) union.spell(item);
}

/** Writes a text that may be given in any case in capitals; `path` leads to it. Other values stay, for the schema to refuse. */
export const capitalise = (content: AnyKind, path: readonly string[]): void =>
  rewrite(content, path, (text) => text.toUpperCase());

/** The same in small letters. */
export const lowerCase = (content: AnyKind, path: readonly string[]): void =>
  rewrite(content, path, (text) => text.toLowerCase());

function rewrite(content: AnyKind, [step = "", ...rest]: readonly string[], write: (text: string) => string): void {
  const value = content[step];
  if (rest.length === 0 && typeof value === "string") content[step] = write(value);
  else if (rest.length > 0 && typeof value === "object" && value !== null) rewrite(value as AnyKind, rest, write);
}

/** A union that has no other kinds: the error for another value of the tag lists them. Each kind has an `$id`. */
export const closedUnion = (tag: string, kinds: readonly Kind[], texts: { $id: string; description?: string }) =>
  Type.Unsafe<AnyKind>({
    ...texts,
    type: "object",
    required: [tag],
    properties: { [tag]: { type: "string", enum: kinds.map(({ name }) => name) } },
    discriminator: { propertyName: tag },
    oneOf: kinds.map(({ content }) => content),
  });
