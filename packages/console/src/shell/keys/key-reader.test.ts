import { describe, expect, it } from "vitest";
import { KeyReader } from "./key-reader.ts";

describe("keys", () => {
  it.each([
    ["?", "help"],
    ["/", "filter"],
    ["j", "next"],
    ["k", "previous"],
    ["c", "compose"],
    ["r", "refresh"],
  ])("%s is %s", (key, kind) => {
    expect(new KeyReader().read(key, 0)).toEqual({ kind });
  });

  it("g and a letter lead to a page, within a moment", () => {
    const reader = new KeyReader();
    expect([reader.read("g", 0), reader.read("M", 1_499)]).toEqual([null, { kind: "go", letter: "m" }]);
    expect([reader.read("g", 2_000), reader.read("m", 3_500)]).toEqual([null, null]);
  });

  it("what follows g is a page, though it means something by itself", () => {
    const reader = new KeyReader();
    reader.read("g", 0);
    expect([reader.read("j", 1), reader.read("j", 2)]).toEqual([{ kind: "go", letter: "j" }, { kind: "next" }]);
  });
});
