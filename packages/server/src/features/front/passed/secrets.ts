/** What stands in the place of what is not passed on. */
const HIDDEN = "[hidden]";
/** A token of the provider, whosever it is: some 200 characters. */
const ANY_TOKEN = /\bEAA[0-9A-Za-z]{20,}/g;

/** Removes secrets from texts, also where they are written in escapes: of addresses, of JSON, of HTML. */
export class Secrets {
  readonly #patterns: readonly RegExp[];

  /** Texts that are too short to be secrets are ignored. */
  constructor(secrets: readonly (string | null | undefined)[]) {
    const given = secrets.filter((secret): secret is string => typeof secret === "string" && secret.length >= SHORTEST);
    const written = new Set(given.flatMap((secret) => [secret, base64(secret)]));
    // The longest first: one may begin with another.
    const longestFirst = [...written].sort((a, b) => b.length - a.length);
    this.#patterns = longestFirst.map((secret) => new RegExp(secret.split("").map(anyWriting).join(""), "g"));
  }

  removedFrom(text: string): string {
    if (text.length < SHORTEST) return text;
    let removed = text.replace(ANY_TOKEN, HIDDEN);
    for (const pattern of this.#patterns) removed = removed.replace(pattern, HIDDEN);
    return removed;
  }
}

const SHORTEST = 6;
const base64 = (secret: string): string => Buffer.from(secret).toString("base64").replace(/=+$/, "");

/** One character as it is, with `%`, once or several times, with `\u` or `\x`, and as a number of HTML; between two may be a soft hyphen or the like. */
function anyWriting(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  // A query has a space where a plus stood.
  const plain = character === "+" ? "[+ ]" : character.replace(/[.*?^${}()|[\]\\/]/g, "\\$&");
  return `(?:${plain}|%(?:25)*${hex}|\\\\+(?:u00|x)${hex}|&#(?:0*${code}|[xX]0*${hex});?)${INVISIBLE}`;
}

/** What a text may have between characters without showing it. */
const INVISIBLE = "[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]*";
