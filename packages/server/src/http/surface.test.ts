import { expect, test } from "vitest";
import { OPEN, SURFACES, type Surface, Surfaces } from "./surface.ts";

const [WORKSPACE, OPERATOR] = SURFACES as [Surface, Surface];
const surfaces = new Surfaces();

test.each([
  ["/v1/messages", "workspace"],
  ["/v1/", "workspace"],
  ["/v1/../admin/v1/workspaces", "workspace"],
  ["/admin/v1/workspaces", "operator"],
  ["/%61dmin/%76%31/workspaces", "operator"],
  ["https://any.example/v1/messages", "workspace"],
  ["/v1", "open"],
  ["/v10/messages", "graph"],
  ["/v1.0/messages", "graph"],
  ["/%7623.0/1055/messages", "graph"],
  ["//v23.0//1055/messages/", "graph"],
  ["https://any.example/v23.0/1055", "graph"],
  ["/1055/messages", "graph"],
  ["/upload:1", "graph"],
  ["/me", "graph"],
  ["/v23.0", "graph"],
  ["/signup/link/view", "setup_link"],
  ["/signup/%6cink/view", "setup_link"],
  ["/signup/link", "open"],
  ["/signup/return", "open"],
  ["/graph/1055/messages", "open"],
  ["/media/token", "open"],
  ["/messages/msg_1", "open"],
  ["/V1/messages", "open"],
  ["/%2576%2531/messages", "open"],
  ["/v1%2fmessages", "open"],
  ["/x/v1/messages", "open"],
  ["//v1/messages", "open"],
  ["*", "open"],
  ["/", "open"],
])("%s is of the surface %s", (path, name) => {
  for (const method of ["GET", "POST", "PROPFIND"]) expect(surfaces.of(method, path).name).toBe(name);
});

test("the first surface that claims a request has it, by some methods alone where it says so", () => {
  const first: Surface = { ...WORKSPACE, name: "first", claims: [{ path: /^\/v1\/\d+$/, methods: ["POST"] }] };
  const table = new Surfaces([first, ...SURFACES]);
  expect([table.of("POST", "/v1/1").name, table.of("GET", "/v1/1").name, table.of("POST", "/v1/a").name]).toEqual([
    "first",
    "workspace",
    "workspace",
  ]);
});

test.each(["/v1", "v1/", "", /^\/v1\//, /\/v1\/$/, /^\/v1\/$/g, /^\/v1\/$/y, /^\/v1\/$/m])(
  "a claim of %s is refused: it would take other paths too, or not all",
  (path) => {
    expect(() => new Surfaces([{ ...WORKSPACE, claims: [{ path }] }])).toThrow("the surface workspace claims");
  },
);

test("names are unique", () => {
  expect(() => new Surfaces([WORKSPACE, { ...OPERATOR, name: "workspace" }])).toThrow("same name");
  expect(() => new Surfaces([{ ...WORKSPACE, name: OPEN.name }])).toThrow("same name");
});

test("a route stands on the surface of its callers, or on the one that it names", () => {
  expect(surfaces.ofRoute({ path: "/v1/x", auth: "workspace" })).toBe(WORKSPACE);
  expect(surfaces.ofRoute({ path: "/admin/v1/x", auth: "operator" })).toBe(OPERATOR);
  expect(surfaces.ofRoute({ path: "/healthz" })).toBe(OPEN);
  const byPattern: Surface = { ...WORKSPACE, name: "first", claims: [{ path: /^\/v1\/\d+$/ }] };
  const bySome: Surface = { ...WORKSPACE, name: "some", claims: [{ path: "/some/", methods: ["GET"] }] };
  const more = new Surfaces([byPattern, bySome, ...SURFACES]);
  expect(more.ofRoute({ path: "/v1/{id}", auth: "workspace", surface: "first" })).toBe(byPattern);
  expect(more.ofRoute({ path: "/some/{id}", auth: "workspace", surface: "some" })).toBe(bySome);
  // Each of these would be found by no request, or by those of the wrong callers.
  for (const [route, why] of [
    [{ path: "/v2/x", auth: "workspace" }, "does not claim it"],
    [{ path: "/admin/v1/x", auth: "workspace" }, "does not claim it"],
    [{ path: "/v1/x", auth: "operator" }, "stands on operator, and is claimed by workspace"],
    [{ path: "/v1/x" }, "stands on open, and is claimed by workspace"],
    [{ path: "/v1/x", auth: "operator", surface: "workspace" }, "needs the operator's callers"],
    [{ path: "/x", auth: "workspace", surface: "open" }, "needs the workspace's callers"],
    [{ path: "/x", auth: "workspace", surface: "none" }, "is no surface"],
  ] as const)
    expect(() => surfaces.ofRoute(route)).toThrow(why);
});
