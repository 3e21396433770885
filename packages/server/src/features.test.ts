import { describe, expect, it, test } from "vitest";
import { FEATURES, idsOf } from "./features.ts";
import { formatId, type IdPrefix } from "./lib/ids.ts";
import { createLog } from "./lib/log.ts";
import { notes } from "./testing/notes/feature.ts";

const features = [...FEATURES, notes];
const declared = features.flatMap(({ ids }) => Object.entries(ids ?? {}) as [IdPrefix, string][]);
const uuid = "01934a5e-7c00-7000-8000-00000000000a";

describe("the ids of all features", () => {
  it("have one prefix for each noun, in small letters", () => {
    const [prefixes, nouns] = [declared.map(([prefix]) => prefix), declared.map(([, noun]) => noun)];
    expect(prefixes.length).toBe(new Set(prefixes).size);
    expect(nouns.length).toBe(new Set(nouns).size);
    expect(prefixes.filter((prefix) => !/^[a-z]+$/.test(prefix))).toEqual([]);
  });

  test.each(declared)("%s_… is in the log as %s_id, alone and in a list", (prefix, noun) => {
    let line = "";
    const log = createLog("info", { ids: idsOf(features), to: { write: (text) => void (line += text) } });
    log.info({ [`${noun}_id`]: uuid, [`${noun}_ids`]: [uuid] }, "words");
    const id = formatId(prefix, uuid);
    expect(JSON.parse(line)).toMatchObject({ [`${noun}_id`]: id, [`${noun}_ids`]: [id] });
  });
});
