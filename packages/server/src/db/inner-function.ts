import { createHash } from "node:crypto";

/** Parameters by name, each with its SQL type. */
type Parameters = Readonly<Record<string, string>>;

/**
 * A step of hot functions that several of them take, or one takes at several places, as a function of its own: its text and its plans
 * are there once. It runs as its caller, with its caller's settings, in the same transaction, and no other role may call it.
 *
 * A call costs about as much as a short statement, so it belongs where a batch calls it once, or only for what is rare; called for
 * each row it cost a message 6 to 20 %.
 */
export type InnerFunction<Takes extends Parameters = Parameters> = {
  /** Name in the code. */
  name: string;
  /** Name in the database, with a hash of the text: each version of a caller calls the one that it was written with. */
  installed: string;
  /** Full `create function` text. */
  text: string;
  /** The value of one that gives one value. */
  value(given: Readonly<Record<keyof Takes, string>>): string;
  /** The statement that calls it. Variables with the names of what it `keeps` and `gives` hold that afterwards. */
  call(given: Readonly<Record<keyof Takes, string>>): string;
};

export type InnerFunctionParts<Takes extends Parameters> = {
  name: string;
  takes: Takes;
  /** Variables of the caller that it may change. */
  keeps?: Parameters;
  /** What it sets. */
  gives?: Parameters;
  /** True: it reads what the statement sees that calls it, and nothing newer. Without it each of its own statements looks again. */
  isStable?: true;
  /** Variables, as in a PL/pgSQL declare section. */
  declare: string;
  body: string;
};

const all = new Map<string, InnerFunction>();

/** The inner functions that a text calls, and those that these call. */
function innerFunctionsOf(text: string): readonly InnerFunction[] {
  const found = new Map<string, InnerFunction>();
  for (const [name] of text.matchAll(/\b[a-z_]+_[0-9a-f]{10}\b/g)) {
    const inner = all.get(name);
    if (inner === undefined || inner.text === text) continue;
    for (const one of [...innerFunctionsOf(inner.text), inner]) found.set(one.installed, one);
  }
  return [...found.values()];
}

/** A function as it is installed. */
export type Installed = Pick<InnerFunction, "name" | "installed" | "text">;

/** These functions and the inner ones that they call: what is installed for them. Callers come after what they call. */
export const withInner = (functions: readonly Installed[]): readonly Installed[] => [
  ...new Map(functions.flatMap((fn) => [...innerFunctionsOf(fn.text), fn]).map((one) => [one.installed, one])).values(),
];

/** Declares an inner function. It is installed with each hot function whose text calls it. */
export function innerFunction<Takes extends Parameters>(parts: InnerFunctionParts<Takes>): InnerFunction<Takes> {
  const { name, takes, keeps = {}, gives = {}, isStable } = parts;
  if (!/^[a-z_]+$/.test(name)) throw new Error(`calls of ${name} would not be found in a text`);
  const kept = [...Object.keys(keeps), ...Object.keys(gives)];
  const parameters = [...signed("", takes), ...signed("inout ", keeps), ...signed("out ", gives)].join(", ");
  const definition = `(${parameters}) language plpgsql ${isStable ? "stable" : "volatile"}
as $function$
#variable_conflict use_column
declare
${parts.declare.trim()}
begin
${parts.body.trim()}
end
$function$`;
  const hash = createHash("sha256").update(definition).digest("hex").slice(0, 10);
  const installed = `${name}_${hash}`;
  const inner: InnerFunction<Takes> = {
    name,
    installed,
    text: `create or replace function ${installed}${definition}`,
    value: (given) =>
      `${installed}(${Object.keys(takes)
        .map((one) => given[one])
        .join(", ")})`,
    call(given) {
      const values = [...Object.keys(takes).map((one) => given[one]), ...Object.keys(keeps)];
      // An assignment: a query that reads the function as a table is planned and started as one.
      const assigned = (variable: string): string => `${variable} := ${installed}(${values.join(", ")});`;
      const [only = "", ...others] = kept;
      // Of one variable PostgreSQL returns the value itself.
      if (others.length === 0) return `\n  ${assigned(only)}`;
      return `
  declare
    called record;
  begin
    ${assigned("called")}
    ${kept.map((one) => `${one} := called.${one};`).join("\n    ")}
  end;`;
    },
  };
  all.set(installed, inner);
  return inner;
}

const signed = (mode: string, parameters: Parameters): string[] =>
  Object.entries(parameters).map(([name, type]) => `${mode}${name} ${type}`);
