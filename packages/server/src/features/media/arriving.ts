import type { App } from "../../ctx.ts";
import { slotOf } from "../../lanes/lane-kinds.ts";
import { taskLane } from "../tasks/task.ts";

/** Hints the owner of the workspace's lane of files that people sent: `takeFiles` has put some into it. */
export const hintFetches = (notifier: App["notifier"], workspaceId: string): void =>
  notifier.hint("fetch", [slotOf(taskLane(workspaceId))]);
