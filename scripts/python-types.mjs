// The Python SDK's types: a TypedDict for each object of the document, an alias for each other schema.

/** The names that the generated text itself uses. */
const TAKEN = new Set("Any Dict List Literal NotRequired Optional TypedDict Union".split(" "));
const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

export const isKeyword = (name) => KEYWORDS.has(name);

/** What is between the quotes of a docstring. */
export function docstring(text) {
  const escaped = text.replaceAll(/\s+/g, " ").trim().replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
  return `"""${escaped.endsWith('"') ? `${escaped.slice(0, -1)}\\"` : escaped}"""`;
}

/** Collects the definitions that types need, in the order in which they are asked for. */
export class PythonTypes {
  /** Of the document's own schemas. */
  #names;
  /** Objects inside them: name → schema. */
  #inner = new Map();
  #definitions = new Map();

  constructor({ components, webhooks }) {
    this.#names = new Set(Object.keys(components.schemas));
    for (const [name, schema] of Object.entries(components.schemas)) this.#define(name, schema);
    const events = Object.values(webhooks).map(
      ({ post }) => post.requestBody.content["application/json"].schema.allOf[0],
    );
    const known = { oneOf: [...new Set(events.map(({ $ref }) => $ref))].map(($ref) => ({ $ref })) };
    this.#define("KnownEvent", {
      ...known,
      description: "The body of a delivery of any kind that this version knows.",
    });
  }

  has(name) {
    return this.#definitions.has(name);
  }

  /** The text of `types.py`; every type must have been asked for. */
  text() {
    return `"""The schemas of the API by their names, as the reference calls them. Objects are dicts; a newer gateway may give them more fields."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from ._names import NotRequired


${[...this.#definitions.values()].join("\n\n")}`;
  }

  /** The expression of a schema's type. `name` is that of the class which an object without a name of its own becomes. */
  typeOf(schema, name) {
    if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1);
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (parts !== undefined) {
      const types = parts.map((part, index) => this.typeOf(part, index === 0 ? name : `${name}${index + 1}`));
      return schema.allOf === undefined ? union(types) : all(types, name);
    }
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.typeOf({ ...schema, type }, name)));
    return this.#ofType(schema, name);
  }

  #ofType(schema, name) {
    switch (schema.type) {
      case "string":
        return "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `List[${schema.items === undefined ? "Any" : this.typeOf(schema.items, `${name}Item`)}]`;
      case "object":
        return this.#ofObject(schema, name);
      default:
        return "Any";
    }
  }

  /** What may have other fields than those named is a dict of anything: type checkers would refuse these. */
  #ofObject(schema, name) {
    const isClosed = Object.keys(schema.properties ?? {}).length > 0 && schema.additionalProperties !== true;
    if (!isClosed) {
      const values = Object.values(schema.patternProperties ?? {});
      return `Dict[str, ${values.length === 0 ? "Any" : union(values.map((one) => this.typeOf(one, `${name}Value`)))}]`;
    }
    if (this.#names.has(name)) return this.#ofObject(schema, `${name}Object`);
    const text = JSON.stringify(schema);
    const known = this.#inner.get(name);
    if (known !== undefined && known !== text)
      throw new Error(`two schemas would be the type ${name} of the Python SDK`);
    if (known === undefined) {
      this.#inner.set(name, text);
      this.#define(name, schema);
    }
    return name;
  }

  #define(name, schema) {
    if (TAKEN.has(name)) throw new Error(`a schema is named ${name}, like a type of Python`);
    // Its place, ahead of what it needs.
    this.#definitions.set(name, "");
    const isObject = schema.type === "object" && schema.properties !== undefined && schema.oneOf === undefined;
    this.#definitions.set(name, isObject ? this.#classText(name, schema) : this.#aliasText(name, schema));
  }

  /** Annotations are read by type checkers alone, and an alias is a value: names that come later are quoted in it. */
  #aliasText(name, schema) {
    const type = this.typeOf(schema, `${name}Value`).replaceAll(/\b\w+\b(?=[\],]|$)/g, (word) =>
      this.#names.has(word) || this.#inner.has(word) ? `"${word}"` : word,
    );
    const doc = schema.description === undefined ? "" : `${docstring(schema.description)}\n`;
    return `${name} = ${type.startsWith('"') ? `Union[${type}]` : type}\n${doc}`;
  }

  #classText(name, schema) {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(([field, part]) => {
      const type = this.typeOf(part, name + pascal(field));
      return { field, type: required.has(field) ? type : `NotRequired[${type}]`, doc: part.description };
    });
    const reserved = fields.filter(({ field }) => isKeyword(field));
    const own = fields.filter(({ field }) => !isKeyword(field));
    const lines = own.map(
      ({ field, type, doc }) => `    ${field}: ${type}\n${doc === undefined ? "" : `    ${docstring(doc)}\n`}`,
    );
    const doc = schema.description === undefined ? "" : `    ${docstring(schema.description)}\n\n`;
    if (reserved.length === 0) return `class ${name}(TypedDict):\n${doc}${lines.join("")}`;
    // A word of the language is no name of an attribute.
    const inner = reserved.map(({ field, type }) => `"${field}": "${type}"`).join(", ");
    const above = `_${name}Words = TypedDict("_${name}Words", {${inner}})`;
    return `${above}\n\n\nclass ${name}(_${name}Words):\n${doc}${lines.join("")}`;
  }
}

const literal = (value) =>
  typeof value === "string"
    ? JSON.stringify(value)
    : value === null
      ? "None"
      : value === true
        ? "True"
        : value === false
          ? "False"
          : String(value);

function union(types) {
  const all = [...new Set(types)];
  if (all.includes("Any")) return "Any";
  const some = all.filter((type) => type !== "None");
  const one = some.length === 1 ? some[0] : `Union[${some.join(", ")}]`;
  if (some.length === 0) return "None";
  return some.length < all.length ? `Optional[${one}]` : one;
}

function all(types, name) {
  const [type = "Any", ...others] = new Set(types.filter((one) => one !== "Any"));
  if (others.length > 0) throw new Error(`${name} is of several types at once, which Python has no word for`);
  return type;
}

const pascal = (name) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
