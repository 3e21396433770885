/** Forms of a text by the number in it, as `Intl.PluralRules` names them; `#` stands for the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/**
 * Numbers in the texts of a language: `figure(1234)` is "1,234", and `plural(2, { one: "# row", other: "# rows" })` "2 rows". Other texts
 * go around the forms and not into them: a `#` in them would be replaced.
 */
export function figuresIn(locale: string) {
  const format = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);
  const figure = (value: number): string => format.format(value);
  const plural = (value: number, forms: Forms): string =>
    (forms[rules.select(value)] ?? forms.other).replaceAll("#", figure(value));
  return { figure, plural };
}
