import { useMutation, useQueryClient } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";

const words = text.quarantine;

/** Takes one change again. */
export function Replay({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => operator.quarantine.replay(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["quarantine"] }),
  });
  return (
    <>
      <button
        type="button"
        className={controls["button"]}
        aria-label={words.replayNamed(id)}
        disabled={replay.isPending}
        onClick={() => replay.mutate()}
      >
        {replay.isPending ? words.replaying : words.replay}
      </button>
      {replay.error !== null && <Problem error={replay.error} />}
    </>
  );
}
