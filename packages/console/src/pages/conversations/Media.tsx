import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { mediaQuery } from "../../api/queries/conversations.ts";
import { can } from "../../api/session.ts";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import styles from "./conversations.module.css";
import { shownAs } from "./shown-as.ts";

const words = text.conversations.media;
const app = getRouteApi("/app");
const SCOPE = "media:read";

/** A file of a message, asked for by a click: what is shown is what its bytes are, and what could run is saved alone. */
export function Media({ id }: { id: string }) {
  const { session } = app.useRouteContext();
  const [isAsked, setAsked] = useState(false);
  const isAllowed = can(session, SCOPE);
  const { data, error, isFetching, refetch } = useQuery({ ...mediaQuery(id), enabled: isAsked });
  const bytes = data?.bytes ?? null;
  const url = useObjectUrl(bytes);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined || (bytes !== null && url === null))
    return (
      <button
        type="button"
        className={controls["button"]}
        disabled={!isAllowed || isFetching}
        title={isAllowed ? undefined : text.problem.forbidden(SCOPE)}
        onClick={() => setAsked(true)}
      >
        {isFetching ? text.loading : words.load}
      </button>
    );
  if (bytes === null || url === null)
    return <p className="muted">{data.file.status === "pending" ? words.pending : words.failed}</p>;
  const name = data.file.filename;
  const kind = shownAs(data.file.mime_type);
  return (
    <div className={styles["media"]}>
      {kind === "image" && <img src={url} alt={words.image} />}
      {kind === "video" && <video src={url} controls />}
      {kind === "audio" && <audio src={url} controls />}
      <a href={url} download={name ?? id} className={controls["button"]}>
        <Download size={14} aria-hidden />
        {name === null ? words.saveFile : words.save(name)}
      </a>
    </div>
  );
}

/** An address of bytes in this page alone; given back when they are no longer shown. */
function useObjectUrl(bytes: Blob | null): string | null {
  const url = useMemo(() => (bytes === null ? null : URL.createObjectURL(bytes)), [bytes]);
  useEffect(() => () => void (url !== null && URL.revokeObjectURL(url)), [url]);
  return url;
}
