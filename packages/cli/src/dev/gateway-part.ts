import type { Child } from "./child.ts";

type Options = {
  start(): Promise<Child>;
  /** Called with one line when it ends unexpectedly. */
  fail(reason: string): void;
};

/** The gateway as a part of `npm start`. It can be started again, which is how its clock goes back. */
export class GatewayPart {
  readonly #options: Options;
  #child: Child;
  #isStopped = false;
  #restarting: Promise<void> = Promise.resolve();

  private constructor(options: Options, child: Child) {
    this.#options = options;
    this.#child = child;
    this.#watch();
  }

  static async start(options: Options): Promise<GatewayPart> {
    return new GatewayPart(options, await options.start());
  }

  setUp(): Promise<void> {
    return this.#child.setUp();
  }

  ask(message: object): Promise<unknown> {
    return this.#child.ask(message);
  }

  /** Everything in memory begins again; what is committed stays. */
  async restart(): Promise<void> {
    this.#restarting = this.#restart();
    await this.#restarting;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#restarting.catch(() => undefined); // it was reported
    await this.#child.stop();
  }

  async #restart(): Promise<void> {
    await this.#child.stop();
    if (this.#isStopped) return;
    try {
      this.#child = await this.#options.start();
      this.#watch();
      await this.#child.setUp();
    } catch (error) {
      if (!this.#isStopped) this.#options.fail(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  #watch(): void {
    this.#child.onExit((reason) => this.#options.fail(`the gateway ended unexpectedly (${reason})`));
  }
}
