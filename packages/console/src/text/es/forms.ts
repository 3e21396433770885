import { figuresIn } from "../plural.ts";

export const { figure, plural } = figuresIn("es");
