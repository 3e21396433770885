import { type TSchema, Type } from "typebox";

/** Schema of a value that may be null; `description` is that of the field. */
export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
