/** Content of any shape, as clients and the provider give it. */
export type Fields = Readonly<Record<string, unknown>>;

export const recordOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Null for what is no text, and for one in which nothing is written. */
export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;
