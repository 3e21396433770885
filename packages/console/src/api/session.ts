import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@waypost/sdk";
import { call } from "./client.ts";

/** Who is signed in. */
export type Session = {
  id: string;
  kind: "workspace" | "operator";
  /** Null for the operator outside of a workspace. */
  workspace: { id: string; name: string } | null;
  /** Null for the operator. */
  key: { id: string; name: string; scopes: readonly string[] } | null;
  expires_at: string;
  /** When it was asked for, by this browser's clock in milliseconds: the answer may have been long on its way. */
  readAt: number;
  version: string;
  /** On a developer's machine. */
  simulator_url: string | null;
  /** There too: where the gateway takes webhooks of the workspace, to show them. */
  receiver_path: string | null;
};

/** The session of this browser; null for none. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: readSession,
  staleTime: 60_000,
  gcTime: Infinity,
});

async function readSession(): Promise<Session | null> {
  try {
    return await asked("GET");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Begins a session by a key, or by the code of a link. Throws the refusal. */
export const signIn = (given: { key: string } | { code: string }): Promise<Session> => asked("POST", given);

async function asked(method: "GET" | "POST", given?: object): Promise<Session> {
  const readAt = Date.now();
  const shown = (await call(method, "console/session", given)) as Omit<Session, "readAt">; // as the gateway answers
  return { ...shown, readAt };
}

export const endSession = (): Promise<unknown> => call("DELETE", "console/session");
export const enterWorkspace = (id: string): Promise<unknown> =>
  call("POST", `admin/v1/workspaces/${encodeURIComponent(id)}/sessions`, {});
export const leaveWorkspace = (id: string): Promise<unknown> =>
  call("DELETE", `admin/v1/workspaces/${encodeURIComponent(id)}/sessions`);

/** Whether the session may do what needs the scope. */
export const can = ({ key }: Session, scope: string): boolean =>
  key === null || key.scopes.includes("*") || key.scopes.includes(scope);

type TabNews = "ended" | "changed";
/** A tab has more than one channel, and one hears what another of them says. */
const TAB = crypto.randomUUID();
const channelOf = (id: string): BroadcastChannel => new BroadcastChannel(`waypost-session-${id}`);

/** Notifies the other tabs of the session. */
export function notifyTabs(id: string, news: TabNews): void {
  const channel = channelOf(id);
  channel.postMessage({ tab: TAB, news });
  channel.close();
}

/** Calls back with what another tab has done to the session; returns the function that stops it. */
export function onTabNews(id: string, listener: (news: TabNews) => void): () => void {
  const channel = channelOf(id);
  channel.addEventListener("message", ({ data }) => {
    const { tab, news } = data as { tab: string; news: TabNews }; // as notifyTabs writes it
    if (tab !== TAB) listener(news);
  });
  return () => channel.close();
}
