import { useQueryClient } from "@tanstack/react-query";
import type { Item } from "@waypost/sdk";
import { workspaceQuery } from "../../api/queries/operator.ts";

/** Shows a workspace as it is after a change; the list is read again. */
export function useChanged(): (workspace: Item<"workspaces.list">) => void {
  const queryClient = useQueryClient();
  return (workspace) => {
    queryClient.setQueryData(workspaceQuery(workspace.id).queryKey, workspace);
    void queryClient.invalidateQueries({ queryKey: ["workspaces", "list"] });
  };
}
