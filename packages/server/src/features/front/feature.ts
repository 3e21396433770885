import type { Feature } from "../../feature.ts";
import { frontCalls } from "./calls.ts";

/** The provider's API in front of ours: clients of it change their address and their token. */
export const front: Feature = {
  name: "front",
  build: (app, services) => ({ calls: frontCalls(app, services) }),
};
