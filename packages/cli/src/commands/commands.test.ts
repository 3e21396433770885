import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { declaredCommands } from "../program.ts";
import { type Ran, waypost } from "../testing/waypost.ts";
import type { Declared, Option } from "./command.ts";

// Every command of the table: its help, what it refuses, and that its options are the API's. No gateway is asked.
const COMMANDS = await declaredCommands();
const flagOf = ({ name }: Option): string => `--${name.replaceAll("_", "-")}`;
const argumentOf = ({ argument }: Declared): string[] =>
  argument === undefined || argument.isOptional ? [] : [`${argument.prefix ?? ""}01jd0000000000000000000000`];
/** What the command needs at least, apart from one option. */
const neededOf = ({ options = [] }: Declared, but?: Option): string[] =>
  options.filter((one) => one.isRequired && one !== but).flatMap((one) => [flagOf(one), usual(one)]);
const usual = ({ kind, choices }: Option): string => (kind === "time" ? "2026-01-31T09:30:00Z" : (choices?.[0] ?? "1"));

beforeEach(() => {
  vi.stubEnv("WAYPOST_BASE_URL", "http://127.0.0.1:1");
  vi.stubEnv("WAYPOST_API_KEY", "wp_live_a");
  vi.stubEnv("WAYPOST_OPERATOR_KEY", "an-operator-key");
});
afterEach(() => vi.unstubAllEnvs());

function expectMisuse({ code, out, err }: Ran): void {
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^waypost: [^\n]+\n$/);
}

describe.each(COMMANDS)("$words", ({ words, declared }) => {
  const run = (...args: string[]): Promise<Ran> => waypost(...words.split(" "), ...args);

  test("its help has every option and an example of itself", async () => {
    const { code, out, err } = await run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const option of declared.options ?? []) expect(out).toContain(flagOf(option));
    expect(out).toContain(`Example:\n  $ waypost ${words}`);
    expect(out).toContain("--json");
    const flags = [...declared.example.matchAll(/ (--[a-z-]+)/g)].map(([, flag = ""]) => flag);
    for (const flag of flags) expect(out).toContain(flag);
    for (const one of (declared.options ?? []).filter(({ isRequired }) => isRequired))
      expect(flags).toContain(flagOf(one));
  });

  test("what it does not understand is one line, with exit code 2", async () => {
    const whole = [...argumentOf(declared), ...neededOf(declared)];
    expectMisuse(await run(...whole, "--no-such-option"));
    expectMisuse(await run(...whole, "one", "two"));
    if (declared.argument && !declared.argument.isOptional) expectMisuse(await run(...neededOf(declared)));
    if (declared.argument?.prefix) expectMisuse(await run("nonsense", ...neededOf(declared)));
    for (const option of declared.options ?? []) {
      const others = [...argumentOf(declared), ...neededOf(declared, option)];
      if (option.isRequired) expectMisuse(await run(...others));
      if (option.kind === "flag") continue;
      expectMisuse(await run(...others, flagOf(option), ""));
      if (option.kind === "time") expectMisuse(await run(...others, flagOf(option), "yesterday"));
      if (option.kind === "number") expectMisuse(await run(...others, flagOf(option), "0"));
      if (option.kind === "list") expectMisuse(await run(...others, flagOf(option), "a,,b"));
      if (option.choices) expectMisuse(await run(...others, flagOf(option), "nonsense"));
    }
  });
});

describe("the API's document", () => {
  type Parameter = { name: string; in: string; schema: { enum?: string[] } };
  type Schema = { $ref?: string; properties?: Record<string, Property>; anyOf?: Schema[]; oneOf?: Schema[] };
  type Property = { enum?: string[]; items?: { enum?: string[] } };
  type Operation = { operationId: string; parameters?: (Parameter & { $ref?: string })[]; requestBody?: object };
  const document = JSON.parse(readFileSync(new URL("../../../../openapi.json", import.meta.url), "utf8"));
  const pointed = (ref: string): never =>
    ref
      .split("/")
      .slice(1)
      .reduce((at, name) => at[name], document) as never;
  const operations = new Map<string, Operation>(
    Object.values<Record<string, Operation>>(document.paths)
      .flatMap((path) => Object.values(path))
      .filter(({ operationId }) => operationId)
      .map((operation) => [operation.operationId, operation]),
  );

  function propertiesOf(schema: Schema): Record<string, Property> {
    if (schema.$ref !== undefined) return propertiesOf(pointed(schema.$ref));
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(propertiesOf);
    return Object.assign({}, ...parts, schema.properties);
  }

  /** Parameters of the query and fields of the body, with the values that they may have. */
  function inputOf(id: string): Map<string, string[] | undefined> {
    const operation = operations.get(id);
    const parameters = (operation?.parameters ?? []).map((one) => (one.$ref ? pointed(one.$ref) : one) as Parameter);
    const query = parameters.filter((one) => one.in === "query").map((one) => [one.name, one.schema.enum] as const);
    const content = (operation?.requestBody as { content?: Record<string, { schema: Schema }> })?.content;
    const body = Object.entries(propertiesOf(content?.["application/json"]?.schema ?? {}));
    return new Map([...query, ...body.map(([name, { enum: values }]) => [name, values] as const)]);
  }

  test.each(COMMANDS.filter(({ declared }) => declared.operation !== undefined))(
    "has the options of $words, with their values",
    ({ declared }) => {
      const { operation = "", options = [] } = declared;
      const input = inputOf(operation);
      expect(operations.has(operation)).toBe(true);
      for (const { name, choices = input.get(name) } of options.filter((one) => one.name !== "limit" && !one.isOwn)) {
        expect([...input.keys()]).toContain(name);
        expect(choices).toEqual(input.get(name));
      }
    },
  );

  test.each(COMMANDS.filter(({ words }) => / (list|activity|deliveries)$|^audit /.test(words)))(
    "has no filter that $words lacks",
    ({ declared }) => {
      const own = declared.argument === undefined ? [] : ["webhook_endpoint_id"];
      const known = [...(declared.options ?? []).map(({ name }) => name), "cursor", ...own];
      expect([...inputOf(declared.operation ?? "").keys()].filter((name) => !known.includes(name))).toEqual([]);
    },
  );
});
