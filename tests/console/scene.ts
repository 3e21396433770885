import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { type Look, openStage, type Stage, type Visitor } from "./stage.ts";

/** What the tests of a file have, from `setScene`: files of one process run one after the other. */
export let stage: Stage;
/** A workspace that sends. */
export let mine: Sender;
/** A window for each test alone. */
export let visitor: Visitor;

export type Scene = {
  /** Of the gateway, beside those of every test. */
  settings?: () => Promise<Record<string, string>>;
  look?: Look;
  /** The windows are the simulator's pages. */
  isSimulator?: boolean;
  /** Windows lead to the simulator's pages, which have an address of their own. */
  leadsToSimulator?: boolean;
};

/**
 * For the tests of a file: a stage with a workspace that sends, and for each test a window, which is left afterwards. What else the file
 * needs is made in its own `beforeAll`, after this.
 */
export function setScene({ settings, look, isSimulator, leadsToSimulator }: Scene = {}): void {
  beforeAll(async () => {
    stage = await openStage(undefined, await settings?.());
    mine = await stage.gateway.sender();
  });
  afterAll(() => stage?.stop());
  beforeEach(async () => {
    const { url } = stage.gateway.simulator;
    visitor = await stage.open(isSimulator ? { ...look, origin: url } : look);
    if (leadsToSimulator) visitor.expects(new RegExp(`^request: ${url}/`));
    return () => visitor.leave();
  });
}
