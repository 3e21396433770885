import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { startTestServer } from "./server.ts";
import { dropTemplate, makeTemplate } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the template database, as the plain login that owns it; nobody may connect to it. */
    templateUrl: string;
    /** Of the run's server, as the login that it was given: a superuser's where the server is our own. */
    serverUrl: string;
  }
}

/** Once a run: a server, and on it the migrated database that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  try {
    const template = await makeTemplate(server.url, `waypost_t_${randomBytes(4).toString("hex")}`);
    project.provide("templateUrl", template.url);
    project.provide("serverUrl", server.url);
    return async () => {
      await dropTemplate(server.url, template);
      await server.stop();
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
