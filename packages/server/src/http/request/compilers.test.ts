import { describe, expect, it } from "vitest";
import { compileLate } from "./compilers.ts";

/** No schema: whoever compiles it throws. */
const BROKEN = { type: "nothing of this name" };
const NAMED = { Name: { $id: "Name", type: "object", properties: { first: { type: "string" } } } };
const ROUTE = { method: "POST", url: "/things", httpPart: "body", httpStatus: "200" };

const compilers = (early = false) => {
  const { buildValidator, buildSerializer } = compileLate(({ url }) => early && url === ROUTE.url);
  return {
    validate: (buildValidator as unknown as Build)(NAMED, { customOptions: { coerceTypes: false } }),
    serialise: (buildSerializer as unknown as Build)({ ...NAMED, Broken: { $id: "Broken", ...BROKEN } }, {}),
  };
};
type Compiled = ((data: unknown) => unknown) & { errors?: { message: string }[] | null };
type Build = (definitions: object, options: object) => (part: object) => Compiled;

describe("a schema", () => {
  it("is compiled when it is first asked for", () => {
    const { validate, serialise } = compilers();
    const [check, write] = [validate({ ...ROUTE, schema: BROKEN }), serialise({ ...ROUTE, schema: BROKEN })];
    expect(() => check({})).toThrow("type");
    expect(() => write({})).toThrow("type");
  });

  it("is compiled at the start where that takes long", () => {
    const { validate, serialise } = compilers(true);
    expect(() => validate({ ...ROUTE, schema: BROKEN })).toThrow("type");
    expect(() => serialise({ ...ROUTE, schema: BROKEN })).toThrow("type");
    const elsewhere = { ...ROUTE, url: "/others", schema: BROKEN };
    expect([validate(elsewhere), serialise(elsewhere)]).toHaveLength(2);
  });

  it("says what does not fit, anew for each request", () => {
    const check = compilers().validate({ ...ROUTE, schema: { $ref: "Name#" } });
    expect([check({ first: 1 }), check.errors?.map(({ message }) => message)]).toEqual([false, ["must be string"]]);
    expect([check({ first: "Ana" }), check.errors]).toEqual([true, null]);
  });

  it("is serialised with the definitions that it refers to, and no others", () => {
    const people = { type: "object", properties: { people: { type: "array", items: { $ref: "Name#" } } } };
    const write = compilers().serialise({ ...ROUTE, schema: people });
    expect(write({ people: [{ first: "Ana", last: "left out" }] })).toBe('{"people":[{"first":"Ana"}]}');
  });
});
