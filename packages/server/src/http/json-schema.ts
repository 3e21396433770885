/** A JSON Schema, or a part of an OpenAPI document, as plain data. */
export type Schema = { [keyword: string]: unknown };
