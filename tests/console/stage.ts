import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { expect } from "vitest";
import { isLanguage } from "../../packages/console/src/text/languages.ts";
import { type Gateway, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { findChromium } from "./chromium.ts";
import { namesIn } from "./named.ts";

/** A gateway with the built console, and a browser that has it open. */
export type Stage = {
  gateway: Gateway;
  browser: Browser;
  /** A window of its own, with cookies of its own. */
  open(look?: Look): Promise<Visitor>;
  stop(): Promise<void>;
};

/** `language`: the browser's. `rows`: as they were chosen in it before. `origin`: where the pages are, if it is not the gateway. */
export type Look = {
  scheme?: "light" | "dark";
  width?: number;
  height?: number;
  language?: string;
  rows?: "comfortable" | "compact";
  origin?: string;
};

/** A person at a browser. */
export type Visitor = {
  context: BrowserContext;
  page: Page;
  /** All that the browser's console said, and each request to another origin: there must be none. */
  faults: string[];
  /** Opens a path of the console. */
  go(path: string): Promise<void>;
  /**
   * Turns to a path within the page that is open, as a link does, by way of an address without a page: all that is there afterwards is of the
   * path. What walks over many pages turns to them, which takes half the time of opening each.
   */
  turn(path: string): Promise<void>;
  /** Resolves once a page is live and has read what it shows: what comes afterwards comes as an event. */
  live(page: Page): Promise<void>;
  /** Begins a session by the call that the form makes, and opens a path with it. Signing in by the form has tests of its own. */
  signIn(key: string, to?: string): Promise<void>;
  /** Faults like this are none: the test asks for them. */
  expects(fault: RegExp): void;
  /** Closes the window; throws where it has faults. */
  leave(): Promise<void>;
};

/**
 * Starts both; throws where there is no browser, with what to install. `publicUrl`: where the browser finds the gateway, if something
 * stands before it. `settings`: of the gateway, beside those of every test.
 */
export async function openStage(publicUrl?: string, settings: Record<string, string> = {}): Promise<Stage> {
  const found = await findChromium();
  const gateway = await startGateway(
    { ...settings, ...(publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl }) },
    { isDevelopment: true },
  );
  launched = launched?.isConnected() ? launched : await launch(found);
  const browser = launched;
  return {
    gateway,
    browser,
    open: (look) => openWindow(browser, look?.origin ?? publicUrl ?? gateway.url, look),
    stop: () => gateway.stop(),
  };
}

/** One for all files of a test process, at whose exit it is killed: its windows share nothing. */
let launched: Browser | undefined;

function launch({ path, env: more }: Awaited<ReturnType<typeof findChromium>>): Promise<Browser> {
  const env = { ...(process.env as Record<string, string>), ...more }; // what the environment has are texts
  return chromium.launch({ executablePath: path, env, args: ["--no-sandbox"] });
}

/** It has no page, and so nothing of the frame that pages are in. */
export const NOWHERE = "/nothing-here";

/** What the browser says where a test has cut the connection. */
export const LOST = /net::ERR_FAILED/;

/** Answers that the pages expect and the browser complains of: no session yet, and what a test asks for on purpose. */
const EXPECTED = /status of (400|401|403|404|409|412|422)/;

const chosenBefore = (url: string, name: string, value: string) => ({
  cookies: [],
  origins: [{ origin: new URL(url).origin, localStorage: [{ name, value }] }],
});

async function openWindow(
  browser: Browser,
  url: string,
  { scheme = "light", width = 1280, height = 800, language = "en-US", rows = "comfortable" }: Look = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: scheme,
    locale: language,
    viewport: { width, height },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...(rows === "comfortable" ? {} : { storageState: chosenBefore(url, "waypost-density", rows) }),
  });
  const named = await namesIn(isLanguage(language) ? language : "en");
  const faults: string[] = [];
  const expected: RegExp[] = [];
  const reading = new Map<Page, Set<Request>>();
  const watch = (page: Page): void => {
    const asked = new Set<Request>();
    reading.set(page, asked);
    page.on("requestfinished", (request) => asked.delete(request));
    page.on("requestfailed", (request) => asked.delete(request));
    page.on("console", (message) => {
      if (!EXPECTED.test(message.text())) faults.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const { origin, protocol, pathname } = new URL(request.url());
      if (!pathname.endsWith("/v1/events/stream")) asked.add(request);
      if (origin !== new URL(url).origin && protocol !== "blob:" && protocol !== "data:")
        faults.push(`request: ${request.url()}`);
    });
  };
  context.on("page", watch);
  const page = await context.newPage();
  const go = async (path: string): Promise<void> => void (await page.goto(url + path, { waitUntil: "load" }));
  const push = (path: string): Promise<unknown> =>
    page.evaluate(`history.pushState({}, "", ${JSON.stringify(url + path)})`);
  const frame = page.locator("header");
  return {
    context,
    page,
    faults,
    go,
    async turn(path) {
      await push(NOWHERE);
      await frame.waitFor({ state: "detached" });
      if (path === NOWHERE) return;
      await push(path);
      await frame.waitFor();
    },
    async live(of) {
      await of.getByRole("status").getByText(named("Live")).waitFor();
      // A page that is still at work may be about to ask.
      const isIdle = (): Promise<unknown> =>
        of.evaluate("new Promise((done) => requestIdleCallback(done, { timeout: 1_000 }))");
      await expect.poll(() => isIdle().then(() => reading.get(of)?.size)).toBe(0);
    },
    async signIn(key, to = "/") {
      const answer = await context.request.post(`${url}/console/session`, { data: { key } });
      if (!answer.ok()) throw new Error(`the sign-in was answered with ${answer.status()}: ${await answer.text()}`);
      await go(to);
      // Beside an open form it is hidden from readers of screens.
      const pages = { name: named("Pages", true), exact: true, includeHidden: true };
      await page.getByRole("navigation", pages).waitFor();
    },
    expects: (fault) => void expected.push(fault),
    async leave() {
      await context.close();
      expect(faults.filter((fault) => !expected.some((one) => one.test(fault)))).toEqual([]);
    },
  };
}
