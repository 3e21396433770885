import { expect, test } from "vitest";
import { simulatorUrl } from "./simulator-url.ts";

test("the simulator is named only when the provider is on this machine", () => {
  expect(simulatorUrl("http://127.0.0.1:8081")).toBe("http://127.0.0.1:8081/sim");
  expect(simulatorUrl("https://graph.facebook.com")).toBeNull();
  expect(simulatorUrl("https://127.0.0.1.evil.example")).toBeNull();
});
