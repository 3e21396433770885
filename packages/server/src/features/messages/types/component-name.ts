/** The name of a kind's schema in the document: `cta_url` with the prefix `Interactive` is `InteractiveCtaUrl`. */
export const componentName = (prefix: string, name: string, suffix = ""): string =>
  prefix + name.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase()) + suffix;
