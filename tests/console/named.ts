import type * as english from "../../packages/console/src/text/en.ts";
import type { Language } from "../../packages/console/src/text/languages.ts";

type Named = string | RegExp;

/** As `text.ts` has them, which is of a browser. */
export const CATALOGUES: Record<Language, () => Promise<typeof english>> = {
  en: () => import("../../packages/console/src/text/en.ts"),
  es: () => import("../../packages/console/src/text/es.ts"),
  "pt-BR": () => import("../../packages/console/src/text/pt-BR.ts"),
  ar: () => import("../../packages/console/src/text/ar.ts"),
};

/**
 * Names of what is on a page, from English: what the catalogue of `language` has in each place where that of English has the name. A name
 * that is in no catalogue is of the data, and stays.
 */
export async function namesIn(language: Language): Promise<(name: Named, isExact?: boolean) => Named> {
  if (language === "en") return (name) => name;
  const pairs = pairsOf(await CATALOGUES.en(), await CATALOGUES[language]());
  return (name, isExact = false) => {
    const found = pairs.filter(([english]) => (typeof name === "string" ? english === name : name.test(english)));
    if (found.length === 0) return name;
    const any = found.map(([, other]) => other.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    return isExact ? new RegExp(`^(?:${any})$`) : new RegExp(any);
  };
}

function pairsOf(english: unknown, other: unknown): [english: string, other: string][] {
  if (typeof english === "string" && typeof other === "string") return [[english, other]];
  if (typeof english !== "object" || english === null) return [];
  return Object.entries(english).flatMap(([key, value]) => pairsOf(value, (other as Record<string, unknown>)[key]));
}
