import { expect, test } from "vitest";
import { faultsOf } from "./faults.ts";

const at = (pointer: string, detail: string) => ({ pointer, code: "invalid", detail });

test("each fault is given to the field of its path, or to the nearest around it; the rest stays", () => {
  const { byPath, rest } = faultsOf(
    [
      at("/url", "It has no host."),
      at("/template/components/0/text", "It is too long."),
      at("/headers/X-A~1B", "It is no name."),
      at("?created_after", "It is no time."),
      at("/events/3", "No such event."),
      at("/events", "Too many."),
      at("/urls", "Unknown."),
      at("", "It is no object."),
    ],
    ["url", "template.components.0", "headers.X-A/B", "created_after", "events"],
  );
  expect(Object.fromEntries(byPath)).toEqual({
    url: "It has no host.",
    "template.components.0": "It is too long.",
    "headers.X-A/B": "It is no name.",
    created_after: "It is no time.",
    events: "No such event. Too many.",
  });
  expect(rest.map(({ pointer }) => pointer)).toEqual(["/urls", ""]);
});
