import type { Feature } from "../../feature.ts";
import { simulatorUrl } from "../../lib/simulator-url.ts";
import { OneTimeCodes } from "./one-time-codes.ts";
import { sessionRoutes } from "./routes.ts";
import { SignIn } from "./sign-in.ts";
import { TestReceiver } from "./test-receiver.ts";

const ids = { ses: "session" } as const;
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}

/** Sessions of people at the console. */
export const sessions: Feature = {
  name: "sessions",
  ids,
  grants: { console_session: { app: "delete, insert, select, update", engine: "delete, select" } },
  forgets: { without: ["console_session"] },
  build(app, { version, sessions: found, authenticator, recorder, isDevelopment }) {
    const development = isDevelopment
      ? { codes: new OneTimeCodes(() => app.clock.now()), receiver: new TestReceiver() }
      : null;
    const codes = development?.codes ?? null;
    const signIn = new SignIn(app, { sessions: found, authenticator, activity: recorder, codes });
    const facts = { version, simulator_url: simulatorUrl(app.config.PROVIDER_BASE_URL) };
    return { rawRoutes: sessionRoutes(app, { sessions: found, signIn, authenticator, development, facts }) };
  },
};
