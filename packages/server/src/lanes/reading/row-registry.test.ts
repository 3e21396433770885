import { describe, expect, it } from "vitest";
import { createMemory } from "./row-registry.ts";

describe("which rows are held here", () => {
  it("takes each row once", () => {
    const memory = createMemory();
    const read = memory.beginRead();
    expect(memory.isNew(1, read)).toBe(true);
    memory.keep(1);
    expect(memory.isNew(1, read)).toBe(false);
    expect(memory.isNew(1, memory.beginRead())).toBe(false);
  });

  it("does not take a finished row from a read that began before", () => {
    const memory = createMemory();
    memory.keep(1);
    const before = memory.beginRead();
    memory.finish(1);
    const after = memory.beginRead();
    expect(memory.isNew(1, before)).toBe(false);
    // Read after it was finished, it is there again: moved to a later due, for instance.
    expect(memory.isNew(1, after)).toBe(true);
    memory.endRead(after);
    expect(memory.isNew(1, before)).toBe(false);
  });

  it("forgets finished rows when no read can bring them any more", () => {
    const memory = createMemory();
    const first = memory.beginRead();
    for (let seq = 0; seq < 1_000; seq++) memory.finish(seq);
    const second = memory.beginRead();
    memory.endRead(first);
    expect(memory.isNew(1, second)).toBe(true);
    memory.endRead(second);
    expect(memory.size).toBe(0);
  });
});
