import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const html = read("index.html");
const css = read("console.css");

/** The colours of each appearance: light, and dark where it differs. */
const [light, dark] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, block = ""]) =>
  Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  ),
);

describe("contrast (WCAG 2.2, 1.4.3 and 1.4.11)", () => {
  const text = [
    ["text", "ground"],
    ["text", "code"],
    ["text", "raised"],
    ["quiet", "ground"],
    ["accent", "ground"],
    ["accent", "raised"],
    ["on-accent", "accent"],
    ["good", "ground"],
    ["bad", "ground"],
  ] as const;
  test.each([
    ["light", light],
    ["dark", { ...light, ...dark }],
  ])("%s", (_name, colours) => {
    for (const [front, back] of text) {
      const ratio = contrast(colours?.[front] ?? "", colours?.[back] ?? "");
      expect.soft({ front, back, ratio }).toMatchObject({ ratio: expect.toSatisfy((value: number) => value >= 4.5) });
    }
  });
});

/** 1 to 21, by the luminance of both. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
function luminance(colour: string): number {
  const whole = colour.length === 4 ? colour.slice(1).replaceAll(/./g, "$&$&") : colour.slice(1);
  const [red = 0, green = 0, blue = 0] = (whole.match(/../g) ?? []).map((pair) => {
    const value = Number.parseInt(pair, 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("structure", () => {
  test("a language, a title, one heading of the page, and no level is left out", () => {
    expect(html).toMatch(/<html lang="en">/);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    const levels = [...html.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  test("landmarks: header, named navigation, main and footer, and a way past them", () => {
    for (const landmark of ["<header>", "<nav aria-label=", '<main id="main"', "<footer>"]) {
      expect(html.split(landmark)).toHaveLength(2);
    }
    expect(html).toContain('<a class="skip" href="#main">');
  });

  test("every id that is pointed at is there once, every image has its words", () => {
    const targets = [...html.matchAll(/(?:aria-labelledby|data-copies|href)="#?([a-z-]+)"/g)].map(([, id]) => id);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(targets.filter((id) => !["docs", "readyz"].includes(id ?? ""))));
    for (const [image] of html.matchAll(/<img [^>]*>/g)) expect(image).toContain("alt=");
    for (const [, id] of read("console.js").matchAll(/\bat\("([^"]+)"\)/g)) expect(ids).toContain(id);
  });

  test("what scrolls can be reached by keys, and focus is seen", () => {
    for (const [pre] of html.matchAll(/<pre[^>]*>/g)) expect(pre).toMatch(/tabindex="0" aria-label="/);
    expect(css).toContain(":focus-visible");
  });
});
