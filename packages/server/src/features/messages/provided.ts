import { Type } from "typebox";

/** Content of the provider that passes through as it is. */
export const provided = (description: string, type: unknown = "object") =>
  Type.Unsafe<unknown>({ type, additionalProperties: true, description });

/** Values of any shape. */
export const ANYTHING = ["object", "array", "string", "number", "boolean", "null"];
