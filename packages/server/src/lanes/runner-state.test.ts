import { describe, expect, it } from "vitest";
import { RowRegistry } from "./runner-state.ts";

describe("which rows are in memory", () => {
  it("takes each row once", () => {
    const registry = new RowRegistry();
    const read = registry.beginRead();
    expect(registry.isNew(1, read)).toBe(true);
    registry.keep(1);
    expect(registry.isNew(1, read)).toBe(false);
    expect(registry.isNew(1, registry.beginRead())).toBe(false);
  });

  it("does not take a finished row from a read that began before", () => {
    const registry = new RowRegistry();
    registry.keep(1);
    const before = registry.beginRead();
    registry.finish(1);
    const after = registry.beginRead();
    expect(registry.isNew(1, before)).toBe(false);
    // A read that began later returns it rightly: it was moved to a later due, for instance.
    expect(registry.isNew(1, after)).toBe(true);
    registry.endRead(after);
    expect(registry.isNew(1, before)).toBe(false);
  });

  it("forgets finished rows when no read can return them any more", () => {
    const registry = new RowRegistry();
    const first = registry.beginRead();
    for (let seq = 0; seq < 1_000; seq++) registry.finish(seq);
    const second = registry.beginRead();
    registry.endRead(first);
    expect(registry.isNew(1, second)).toBe(true);
    registry.endRead(second);
    expect(registry.size).toBe(0);
  });
});
