import { expect, test } from "vitest";
import { messageIn, requestCurl } from "./request.ts";
import { snippetsOf } from "./snippets.ts";

test("the command posts what was posted, without what is not known", () => {
  const request = { headers: { "content-type": "application/json", authorization: null }, body: `{"a":"it's"}` };
  expect(requestCurl("https://example.com/hooks", request)).toBe(
    `curl 'https://example.com/hooks' \\\n  -H 'content-type: application/json' \\\n  --data-binary '{"a":"it'\\''s"}'`,
  );
});

test("the message of an event is found, and of nothing else", () => {
  expect(messageIn(`{"data":{"message":{"id":"msg_1"}}}`)).toBe("msg_1");
  for (const body of [`{"data":{"message":null}}`, `{"entry":[]}`, "[]", "no", null])
    expect(messageIn(body)).toBeNull();
});

test("each language of the page is a snippet, in its order", () => {
  const page =
    "# A\n\n### Python\n\n```python\na\n\nb\n```\n\nMore.\n\n### Go\n\nWords.\n\n```go\nc\n```\n\n## Other\n\n```sh\nd\n```\n";
  expect(snippetsOf(page)).toEqual([
    { language: "Python", code: "a\n\nb" },
    { language: "Go", code: "c" },
  ]);
});
