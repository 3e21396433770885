import type { ThreadCalls, ThreadRequest } from "../thread-calls.ts";
import type { Graph } from "./graph.ts";

/** Cloud API documentation, conversation routing: thread control. An answer that is no error says that it was done. */
export function threadCalls(graph: Graph): ThreadCalls {
  return {
    async controlThread(request) {
      const { providerPhoneNumberId, to: _to, userId: _id, action: _action, targetRole: _role, ...access } = request;
      const path = `${encodeURIComponent(providerPhoneNumberId)}/thread_control`;
      const answer = await graph.callWith(path, { ...access, body: JSON.stringify(threadBody(request)) });
      return answer.ok ? { ok: true, value: null } : answer;
    },
  };
}

const threadBody = ({ to, userId, action, targetRole }: ThreadRequest): Record<string, unknown> => ({
  messaging_product: "whatsapp",
  ...(to === null ? { recipient: userId } : { to }),
  action,
  ...(targetRole === null ? {} : { control_pass: { target_role: targetRole } }),
});
