import { useMutation } from "@tanstack/react-query";
import { leaveWorkspace, type Session } from "../api/session.ts";
import controls from "../parts/controls.module.css";
import { Problem } from "../parts/Problem.tsx";
import { text } from "../text/text.ts";
import { changeWorkspace } from "./change-workspace.ts";
import styles from "./shell.module.css";

/** Over every page while the operator is in a workspace. */
export function OperatorBar({ session: { id, workspace } }: { session: Session }) {
  const leave = useMutation({
    mutationFn: () => changeWorkspace(id, () => leaveWorkspace(workspace?.id ?? ""), "operator/workspaces"),
  });
  return (
    <div role="region" aria-label={text.header.operator} className={styles["operator"]}>
      <p>{text.operatorBar.inside(workspace?.name ?? "")}</p>
      <button type="button" className={controls["button"]} disabled={leave.isPending} onClick={() => leave.mutate()}>
        {text.operatorBar.leave}
      </button>
      {leave.error !== null && <Problem error={leave.error} />}
    </div>
  );
}
