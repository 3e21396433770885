import { describe, expect, test } from "vitest";
import { table, withLinks } from "./inline.ts";
import { htmlOf } from "./markdown.ts";

const link = (target: string): string | null => (target === "nowhere.md" ? null : target);
const html = (...lines: string[]): string => htmlOf(lines.join("\n"), link).html;

describe("markup of the text stays text", () => {
  test.each([
    ["a tag", "<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"],
    ["in code", '`<img src="x">`', "<p><code>&lt;img src=&quot;x&quot;&gt;</code></p>\n"],
    ["in a link", '[<b>](/docs?a="b")', '<p><a href="/docs?a=&quot;b&quot;">&lt;b&gt;</a></p>\n'],
    ["in a heading", "# <b>&", '<h1 id="b">&lt;b&gt;&amp;</h1>\n'],
    ["with a backslash", "\\*no\\* \\`code\\`", "<p>*no* `code`</p>\n"],
  ])("%s", (_name, text, expected) => {
    expect(html(text)).toBe(expected);
  });

  test("in a fence, with its language, whatever stands in it", () => {
    expect(html("```sh", "# <no> | heading", "", "- none", "```", "", "after")).toBe(
      '<pre tabindex="0" data-language="sh"><code># &lt;no&gt; | heading\n\n- none\n</code></pre>\n<p>after</p>\n',
    );
    expect(html("```", "never ends")).toBe('<pre tabindex="0"><code>never ends\n</code></pre>\n');
  });
});

test("parts of a line", () => {
  expect(html("**Strong `code`**, *soft*, 2 * 3 * 4, snake_case_word")).toBe(
    "<p><strong>Strong <code>code</code></strong>, <em>soft</em>, 2 * 3 * 4, snake_case_word</p>\n",
  );
  expect(html("`POST /v1/messages` and `GET`")).toBe(
    '<p><code class="call"><b class="post">POST</b> /v1/messages</code> and <code class="call"><b class="get">GET</b></code></p>\n',
  );
  expect(html("``a ` b`` [`x`](#x) [gone](nowhere.md) <https://example.com/a>")).toBe(
    '<p><code>a ` b</code> <a href="#x"><code>x</code></a> gone <a href="https://example.com/a">https://example.com/a</a></p>\n',
  );
});

test("lists within lists, and paragraphs of an item", () => {
  expect(html("- one", "  goes on", "- two", "  - inner", "", "  more", "- three", "", "after")).toBe(
    "<ul><li>one\ngoes on</li>\n<li><p>two</p>\n<ul><li>inner</li>\n</ul>\n<p>more</p>\n</li>\n<li>three</li>\n</ul>\n<p>after</p>\n",
  );
  expect(html("3. three", "4. four")).toBe('<ol start="3"><li>three</li>\n<li>four</li>\n</ol>\n');
});

test("a table, whose bars in cells are text, and whose empty heads are none", () => {
  const text = table(["Name", ""], [["`a|b`", "one\ntwo"]]);
  expect(text).toBe("| Name |  |\n| --- | --- |\n| `a\\|b` | one two |");
  expect(html(...text.split("\n"))).toBe(
    '<div class="wide" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">Name</th><td></td></tr></thead>\n' +
      "<tbody><tr><td><code>a|b</code></td><td>one two</td></tr>\n</tbody></table></div>\n",
  );
  expect(table(["Name"], [])).toBe("");
});

test("headings have ids of their own, by which links find them", () => {
  const { headings } = htmlOf("# A `b` c!\n\n## Same\n\n## Same\n\n<!-- not\nshown -->\n### ¿?", link);
  expect(headings.map(({ id, level }) => [level, id])).toEqual([
    [1, "a-b-c"],
    [2, "same"],
    [2, "same-1"],
    [3, "section"],
  ]);
});

test("links of Markdown lead where they are to, and code is left alone", () => {
  const to = (target: string): string | null => (target === "a.md" ? "b.md" : null);
  expect(withLinks("[one](a.md), **[two](c.md)**, *[three](a.md)*, `[four](a.md)`", to)).toBe(
    "[one](b.md), **two**, *[three](b.md)*, `[four](a.md)`",
  );
});
