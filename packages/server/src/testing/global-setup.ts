import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { startTestServer } from "./server.ts";
import { dropTemplate, makeTemplate } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the template database, for the plain login that owns it; it accepts no connections. */
    templateUrl: string;
    /** Of the run's server, for the login that was given: a superuser where the server is the embedded one. */
    serverUrl: string;
    /** Whether the server is a temporary one of the run. */
    isServerOurs: boolean;
  }
}

/** Once for each run: a server, and on it the migrated database that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  try {
    const template = await makeTemplate(server.url, `waypost_t_${randomBytes(4).toString("hex")}`);
    project.provide("templateUrl", template.url);
    project.provide("serverUrl", server.url);
    project.provide("isServerOurs", server.ours);
    return async () => {
      if (!server.ours) await dropTemplate(server.url, template);
      await server.stop();
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
