import type { InstallError } from "../db/roles.ts";

/** Why this process cannot continue, once something found a reason; the first one counts. */
export class Fault {
  /** Resolves with the reason. */
  readonly reported: Promise<InstallError>;
  #found: InstallError | null = null;
  #resolve: (error: InstallError) => void = () => {};

  constructor() {
    this.reported = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get found(): InstallError | null {
    return this.#found;
  }

  report(error: InstallError): void {
    this.#found ??= error;
    this.#resolve(this.#found);
  }
}
