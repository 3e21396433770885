import { DIRECTION, LOCALE } from "../text/text.ts";

const list = new Intl.ListFormat(LOCALE, { type: "unit", style: "short" });

/** Values in one line, as the language joins them: "read, sent, failed". Where lines begin at the right, each keeps its own order. */
export const listOf = (values: readonly string[]): string =>
  list.format(DIRECTION === "rtl" ? values.map((value) => `\u2068${value}\u2069`) : values);
