import type { Random } from "../../faults/random.ts";
import { type Definitions, type Schema, spoiled, TEXTS, valueOf } from "./values.ts";

/** Whose key a request has: of either workspace, of one with few scopes, the operator's, one that does not exist, or none. */
const CALLERS = ["mine", "theirs", "reader", "operator", "stranger", "keyless"] as const;
export type Caller = (typeof CALLERS)[number];

/** A request to both sides. `«con 2»` in path, headers and body stands for the second contact that the side has named. */
export type Asked = {
  /** The operation that it is made from. */
  operation: string;
  caller: Caller;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
};

type Operation = {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }> };
};
type Row = { path: string; method: string; operation: Operation };
/** What of an OpenAPI document is read. */
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Definitions; parameters?: Record<string, NonNullable<Operation["parameters"]>[number]> };
};

/** Makes requests out of a document: most of a caller that may ask, half of them as they should be, the others spoiled in one place. */
export class Requests {
  readonly #random: Random;
  readonly #amount: number;
  readonly #document: Document;
  readonly #operations: readonly Row[];
  #last: Asked | null = null;

  constructor(random: Random, document: Document, amount: number) {
    this.#random = random;
    this.#amount = amount;
    this.#document = document;
    this.#operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => ({ path, method, operation })),
    );
  }

  /** `index` walks through all operations in turn; `known` says how many ids of a prefix there are. */
  next(index: number, known: (prefix: string) => number): Asked {
    const random = this.#random;
    const mostly = 0.95 * this.#amount;
    // The same once more: a key must be answered as before.
    if (this.#last !== null && random.next() < 0.08) return this.#last;
    const { path, method, operation } = this.#operations[index % this.#operations.length] as Row;
    const spoils = random.next() < 0.5;
    const asked: Asked = {
      operation: `${method.toUpperCase()} ${path}`,
      caller: random.next() < 0.8 ? (path.startsWith("/admin") ? "operator" : "mine") : random.pick(CALLERS),
      method:
        random.next() < 0.02
          ? random.pick(["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "LINK"])
          : method.toUpperCase(),
      path:
        this.#path(path, TAKING_AWAY.test(`${method} ${path}`) && index < mostly ? NONE : known) +
        this.#query(operation, spoils),
      headers: this.#headers(),
      body: null,
    };
    const [type = "", content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    if (content) {
      asked.headers["content-type"] = random.next() < 0.03 ? "text/plain" : type;
      asked.body = this.#body(type, content, spoils);
    }
    this.#last = asked;
    return asked;
  }

  #path(path: string, known: (prefix: string) => number): string {
    const random = this.#random;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
      if (name === "tag") return random.pick(["vip", "new", "%2e%2e", "a%20b", "VIP"]);
      const prefix = this.#prefixOf(path, name);
      const count = known(prefix);
      if (count > 0 && random.next() < 0.8) return `«${prefix} ${random.between(1, count)}»`;
      return random.pick([
        `${prefix}_00000000000000000000000000`,
        `${prefix}_7zzzzzzzzzzzzzzzzzzzzzzzzz`,
        "con_01",
        "0",
        "%00",
        "%zz",
        "%2F",
        "..",
        "x".repeat(300),
        "msg_01J0000000000000000000000%0A",
      ]);
    });
    return random.next() < 0.02
      ? random.pick([`/${filled}`, `${filled}/`, filled.toUpperCase(), `${filled}//x`])
      : filled;
  }

  #prefixOf(path: string, name: string): string {
    if (name === "contact_id") return "con";
    const [, resource = ""] = /\/(?:admin\/)?v1\/([\w-]+(?:\/imports|\/[^/]+\/api-keys)?)/.exec(path) ?? [];
    return PREFIXES[resource] ?? "msg";
  }

  #query({ parameters = [] }: Operation, spoils: boolean): string {
    const random = this.#random;
    const query = new URLSearchParams();
    for (const parameter of parameters) {
      const { in: place, name, schema } = this.#resolved(parameter);
      if (place !== "query" || random.next() < 0.7) continue;
      const value = valueOf(random, schema, this.#document.components.schemas);
      for (const one of [value].flat())
        query.append(name, spoils && random.next() < 0.4 ? random.pick(TEXTS.slice(0, 8)) : String(one));
    }
    if (spoils && random.next() < 0.1)
      query.append(random.pick(["colour", "limit", "cursor", "limit"]), random.pick(["0", "-1", "1e3", "abc", "101"]));
    const text = query.toString();
    return text === "" ? "" : `?${text}`;
  }

  #resolved(parameter: NonNullable<Operation["parameters"]>[number]): NonNullable<Operation["parameters"]>[number] {
    const name = parameter.$ref?.split("/").at(-1);
    return (name === undefined ? undefined : this.#document.components.parameters?.[name]) ?? parameter;
  }

  #headers(): Record<string, string> {
    const random = this.#random;
    const headers: Record<string, string> = {
      "x-request-id": `differential-${random.between(0, 1e9)}`,
      // Callers without a key are counted by their address.
      "x-forwarded-for": `10.${random.between(0, 255)}.${random.between(0, 255)}.1`,
    };
    if (random.next() < 0.3)
      headers["x-idempotency-key"] = random.pick(["again", `key-${random.between(0, 40)}`, "", "x".repeat(300), "kéy"]);
    if (random.next() < 0.05) headers["prefer"] = random.pick(["wait=0", "wait=1", "wait=x", "return=minimal"]);
    if (random.next() < 0.05) headers["if-match"] = random.pick(['"1"', '"2"', "*", "1", 'W/"1"']);
    if (random.next() < 0.03) headers["accept"] = random.pick(["text/html", "application/json", "*/*;q=0"]);
    return headers;
  }

  #body(
    type: string,
    { schema, examples }: { schema: Schema; examples?: Record<string, { value: unknown }> },
    spoils: boolean,
  ): string {
    const random = this.#random;
    if (type === "text/csv")
      return random.pick([
        "phone,name\n+15552010003,Ana\n",
        "phone\nx\n",
        "",
        "name\nAna\n",
        "\ufeffphone;name\n+15552010004;Zoë\n",
      ]);
    const given = Object.values(examples ?? {});
    const good =
      given.length > 0 && random.next() < 0.7
        ? random.pick(given).value
        : valueOf(random, schema, this.#document.components.schemas);
    const value = spoils ? spoiled(random, good) : good;
    const text = JSON.stringify(value) ?? "";
    if (!spoils || random.next() < 0.9) return text;
    return random.pick([
      text.slice(0, -1),
      `${text} x`,
      `[${text}`,
      text.replace(/\d+/, "1e400"),
      `{"a":1,"a":2}`,
      "\ufeff" + text,
      "null",
      "",
    ]);
  }
}

/** What takes away an account, a key or a workspace that the requests after it need: known ones only towards the end. */
const TAKING_AWAY = /^(?:delete|patch) .*(?:business-accounts|workspaces)|^delete .*api-keys|rotate$/;
const NONE = (): number => 0;

const METHODS = new Set(["get", "post", "put", "patch", "delete"]);
/** Prefixes of the ids in paths, by what stands before them. */
const PREFIXES: Record<string, string> = {
  messages: "msg",
  templates: "tpl",
  "webhook-endpoints": "whe",
  deliveries: "dlv",
  "business-accounts": "acc",
  "phone-numbers": "num",
  "embedded-signups": "sgn",
  "setup-links": "stl",
  "contacts/imports": "imp",
  contacts: "con",
  segments: "seg",
  workspaces: "ws",
  "api-keys": "key",
  quarantine: "qua",
};
