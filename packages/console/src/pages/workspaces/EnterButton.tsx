import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { enterWorkspace } from "../../api/session.ts";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { changeWorkspace } from "../../shell/change-workspace.ts";
import { text } from "../../text/text.ts";

const app = getRouteApi("/app");
const words = text.workspaces;

/** Makes the session one of the workspace too, and begins at its Home. */
export function EnterButton({ id, name, isMain = false }: { id: string; name: string; isMain?: boolean }) {
  const { session } = app.useRouteContext();
  const enter = useMutation({ mutationFn: () => changeWorkspace(session.id, () => enterWorkspace(id), "") });
  return (
    <>
      <button
        type="button"
        className={controls[isMain ? "primary" : "button"]}
        aria-label={words.enterNamed(name)}
        disabled={enter.isPending}
        onClick={() => enter.mutate()}
      >
        {words.enter}
      </button>
      {enter.error !== null && <Problem error={enter.error} />}
    </>
  );
}
