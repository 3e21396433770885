import { useMutation } from "@tanstack/react-query";
import { fileOf } from "../../api/file.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { text } from "../../text/text.ts";

const words = text.refused;

/** All refused rows of an import as one file. The API has made its cells harmless for spreadsheets. */
export function SaveRefused({ id }: { id: string }) {
  const saving = useMutation({
    mutationFn: async () =>
      saveFile(await fileOf(`v1/contacts/imports/${id}/errors`, "text/csv"), `${id}-refused-rows.csv`),
  });
  return (
    <>
      <div>
        <ActionButton scope="contacts:read" disabled={saving.isPending} onClick={() => saving.mutate()}>
          {saving.isPending ? words.saving : words.save}
        </ActionButton>
      </div>
      {saving.error !== null && <Problem error={saving.error} retry={() => saving.mutate()} />}
    </>
  );
}
