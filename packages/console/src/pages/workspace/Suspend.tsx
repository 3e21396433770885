import { useMutation, useQuery } from "@tanstack/react-query";
import type { Item } from "@waypost/sdk";
import { operator } from "../../api/client.ts";
import { workspaceKeysQuery } from "../../api/queries/operator.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { Confirm } from "../../parts/Confirm.tsx";
import { now } from "../../parts/now.ts";
import { Problem } from "../../parts/Problem.tsx";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { hasEnded, stateOf } from "../api-keys/state.ts";
import { useChanged } from "./changed.ts";

const words = text.workspace;

/** Refuses the keys of a workspace, after a question that says how many there are. */
export function Suspend({ workspace: { id, name } }: { workspace: Item<"workspaces.list"> }) {
  const changed = useChanged();
  const { data } = useQuery(workspaceKeysQuery(id, undefined));
  const current = useStore(now);
  const live = data?.data.filter((key) => !hasEnded(stateOf(key, current).state)).length;
  return (
    <Confirm
      action={words.suspend}
      busy={words.suspending}
      title={words.suspendAsk(name)}
      effect={
        <>
          <p>{live === undefined ? words.suspendUncounted : words.suspendKeys(live, data?.nextCursor != null)}</p>
          <p>{words.suspendEffect}</p>
        </>
      }
      scope="*"
      keep={words.keepActive}
      run={async () => changed(await operator.workspaces.update(id, { status: "suspended" }))}
    />
  );
}

/** Takes the keys of a suspended workspace again. */
export function Resume({ id }: { id: string }) {
  const changed = useChanged();
  const resume = useMutation({
    mutationFn: () => operator.workspaces.update(id, { status: "active" }),
    onSuccess: changed,
  });
  return (
    <>
      <ActionButton scope="*" disabled={resume.isPending} onClick={() => resume.mutate()}>
        {resume.isPending ? words.resuming : words.resume}
      </ActionButton>
      {resume.error !== null && <Problem error={resume.error} />}
    </>
  );
}
