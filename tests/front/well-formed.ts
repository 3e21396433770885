/** An element of a page, with its attributes as they stand there. */
export type Element = { name: string; attributes: Record<string, string> };

const TOKEN = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"<>]*")*)\s*(\/?)>|[^<]+|</gy;
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;

/**
 * The elements of a page in their order. Throws where it is not well-formed as XML is: each element ends, within the one that it began in,
 * and no text or value has a character that means markup.
 */
export function elementsOf(html: string): Element[] {
  const elements: Element[] = [];
  const open: string[] = [];
  for (const [token, end, name, attributes = "", empty] of html.matchAll(TOKEN)) {
    if (
      /&(?!(?:amp|lt|gt|quot);)/.test(token) ||
      token === "<" ||
      (name === undefined && token.includes(">") && !token.startsWith("<!"))
    )
      throw new Error(`markup in a text: ${token.slice(0, 80)} within ${open.join(" > ")}`);
    if (name === undefined) continue;
    if (end === "/") {
      const begun = open.pop();
      if (begun !== name) throw new Error(`</${name}> ends ${begun} within ${open.join(" > ")}`);
      continue;
    }
    elements.push({
      name,
      attributes: Object.fromEntries(
        [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", value = ""]) => [key, value]),
      ),
    });
    if (empty !== "/") open.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join(" > ")} do not end`);
  return elements;
}
