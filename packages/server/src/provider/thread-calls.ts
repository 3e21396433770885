import type { CallResult } from "./call-result.ts";
import type { NumberAccess } from "./profile-calls.ts";

/** Calls of the provider about who answers a person, where a number has several responders. */
export type ThreadCalls = {
  /** Takes a conversation, gives it up, or passes it on. Of an answer that was lost it is not known whether it was done. */
  controlThread(request: ThreadRequest): Promise<CallResult<null>>;
};

/** `to` is E.164 with `+`; `userId` the business-scoped id, used when there is no number. `targetRole`: whom it is passed to. */
export type ThreadRequest = NumberAccess & {
  to: string | null;
  userId: string | null;
  action: "take" | "release" | "pass";
  targetRole: string | null;
};
