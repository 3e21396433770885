import type { Schema } from "../../route.ts";

/** A schema of the document, or a reference to one. */
export type Part = Schema & { $ref?: string; description?: string };
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Part;
  example?: unknown;
};
/** A body or an answer of one type; examples by their names. */
export type Media = { type: string; schema: Part; examples: readonly { summary: string; value: unknown }[] };
export type Answer = { status: string; description: string; headers: readonly string[]; media: readonly Media[] };
export type Operation = {
  /** As the SDK's method: `messages.send`. */
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  deprecated: boolean;
  /** Null for a call that needs no key. */
  key: "apiKey" | "operatorKey" | null;
  scopes: readonly string[];
  parameters: readonly Parameter[];
  body: { required: boolean; media: readonly Media[] } | null;
  answers: readonly Answer[];
  /** Of all refusals. */
  codes: readonly string[];
};
export type EventKind = { kind: string; category: string; description: string; schema: Part; example: unknown };

type Raw = {
  info?: { description?: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  webhooks?: Record<string, { post: RawOperation }>;
  components: Record<string, Record<string, Part>>;
};
type RawMedia = {
  schema: Part;
  example?: unknown;
  examples?: Record<string, Part & { summary?: string; value?: unknown }>;
};
type RawOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Part)[];
  requestBody?: { required?: boolean; content: Record<string, RawMedia> };
  responses: Record<string, Part>;
};

const PROBLEM_TYPE = "application/problem+json";

/** The API document as its pages read it: with the parts that operations share in their places. */
export class ApiDocument {
  /** What holds for all calls, in Markdown. */
  readonly description: string;
  readonly tags: readonly { name: string; description: string }[];
  readonly operations: readonly Operation[];
  readonly events: readonly EventKind[];
  readonly #components: Raw["components"];

  /** Takes what `openapiOf` makes. */
  constructor(document: object) {
    const raw = document as Raw;
    this.description = raw.info?.description ?? "";
    this.tags = raw.tags;
    this.#components = raw.components;
    this.operations = Object.entries(raw.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#operationOf(path, method, operation)),
    );
    this.events = Object.entries(raw.webhooks ?? {}).map(([kind, { post }]) => this.#eventOf(kind, post));
  }

  /** The schemas that have a name, by it. */
  get schemas(): Readonly<Record<string, Part>> {
    return this.#components["schemas"] ?? {};
  }

  /** The schema that a reference names; one that is written out is its own. */
  resolved(part: Part): Part {
    return part.$ref === undefined ? part : (this.schemas[nameOf(part.$ref)] ?? {});
  }

  #shared<T>(section: string, part: T | Part): T {
    const { $ref } = part as Part;
    return ($ref === undefined ? part : this.#components[section]?.[nameOf($ref)]) as T;
  }

  #operationOf(path: string, method: string, raw: RawOperation): Operation {
    const [access = {}] = raw.security ?? [];
    const [[key, scopes] = [null, []]] = Object.entries(access) as [Operation["key"], string[]][];
    const answers = Object.entries(raw.responses).map(([status, part]) => this.#answerOf(status, part));
    return {
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      tag: raw.tags[0] ?? "",
      summary: raw.summary,
      description: raw.description,
      deprecated: raw.deprecated === true,
      key,
      scopes,
      parameters: (raw.parameters ?? []).map((part) => this.#shared<Parameter>("parameters", part)),
      body:
        raw.requestBody === undefined
          ? null
          : { required: raw.requestBody.required === true, media: this.#mediaOf(raw.requestBody.content) },
      answers,
      codes: answers.flatMap(({ codes }) => codes),
    };
  }

  #answerOf(status: string, part: Part): Answer & { codes: string[] } {
    const {
      description,
      headers = {},
      content = {},
    } = this.#shared<{
      description: string;
      headers?: Record<string, unknown>;
      content?: Record<string, RawMedia>;
    }>("responses", part);
    const { [PROBLEM_TYPE]: problem, ...others } = content;
    return {
      status,
      description,
      headers: Object.keys(headers),
      media: this.#mediaOf(others),
      codes: Object.keys(problem?.examples ?? {}),
    };
  }

  #mediaOf(content: Record<string, RawMedia>): Media[] {
    return Object.entries(content).map(([type, { schema, example, examples }]) => ({
      type,
      schema,
      examples:
        examples === undefined
          ? example === undefined
            ? []
            : [{ summary: "", value: example }]
          : Object.values(examples).map((one) => {
              const { summary = "", value } = this.#shared<{ summary?: string; value?: unknown }>("examples", one);
              return { summary, value };
            }),
    }));
  }

  #eventOf(kind: string, { description, requestBody }: RawOperation): EventKind {
    const { schema = {}, example } = requestBody?.content["application/json"] ?? {};
    const { category } = example as { category: string }; // every event has one
    const [shape = {}] = (schema.allOf as Part[] | undefined) ?? [schema];
    return { kind, category, description, schema: shape, example };
  }
}

/** `Message` of `#/components/schemas/Message`. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);
