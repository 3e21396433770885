import { figuresIn } from "../plural.ts";

export const { figure, plural } = figuresIn("ar-u-nu-latn");

/** A text of another direction or of unknown one, such as a name or an id: what stands around it keeps its order. */
export const isolated = (given: string): string => `\u2068${given}\u2069`;
