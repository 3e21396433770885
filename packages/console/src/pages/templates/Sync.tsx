import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TemplateSyncResult } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { shortId } from "../../parts/copy-text.ts";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import styles from "./templates.module.css";

const words = text.templates;

/** Reads all templates from the provider now, and says what came of it for each account. */
export function Sync() {
  const queryClient = useQueryClient();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const sync = useMutation({
    mutationFn: () => waypost.templates.sync({}, { idempotencyKey: key }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      return queryClient.invalidateQueries({ queryKey: KEYS.templates });
    },
  });
  return (
    <>
      <ActionButton scope="templates:write" disabled={sync.isPending} onClick={() => sync.mutate()}>
        {sync.isPending ? words.syncing : words.sync}
      </ActionButton>
      {sync.error !== null && <Problem error={sync.error} retry={() => sync.mutate()} />}
      {sync.data !== undefined && (
        <ul role="status" className={styles["synced"]}>
          {sync.data.data.map((one) => (
            <li key={one.business_account_id}>{saidOf(one)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function saidOf({ business_account_id: id, status, created, updated, deleted, error }: Result): string {
  const account = shortId(id);
  if (status === "failed") return words.synced.failed(account, error?.detail ?? "");
  return status === "running"
    ? words.synced.running(account)
    : words.synced.completed(account, created + updated + deleted);
}
type Result = TemplateSyncResult["data"][number];
