import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Media as File } from "@waypost/sdk";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { mediaBytesQuery, mediaQuery } from "../../api/queries/conversations.ts";
import { can } from "../../api/session.ts";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { useSeen } from "../../parts/use-seen.ts";
import { Store, useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { loadsItself, shownAs } from "./shown-as.ts";
import styles from "./thread.module.css";

const words = text.conversations.media;
const app = getRouteApi("/app");
const SCOPE = "media:read";

/**
 * A file of a message. A picture loads by itself once it comes into view, all else by a click: what is shown is what its bytes are, and
 * what could run is saved alone. `isPicture`: what the message says of it.
 */
export function Media({ id, isPicture }: { id: string; isPicture: boolean }) {
  const { session } = app.useRouteContext();
  const place = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const isSeen = useSeen(place);
  const isAllowed = can(session, SCOPE);
  const isDue = isAllowed && (isAsked || (isPicture && isSeen));
  const file = useQuery({ ...mediaQuery(id), enabled: isDue });
  const isHere = file.data?.status === "available";
  const isLoading = isDue && file.data !== undefined && isHere && (isAsked || loadsItself(file.data));
  const bytes = useQuery({ ...mediaBytesQuery(id), enabled: isLoading });
  const failed = file.error === null ? bytes : file;
  const isBusy = file.isFetching || bytes.isFetching || (isLoading && bytes.data === undefined);
  return (
    <div ref={place} className={styles["media"]} data-picture={isPicture}>
      {failed.error !== null ? (
        <Problem error={failed.error} retry={() => void failed.refetch()} />
      ) : file.data !== undefined && !isHere ? (
        <p className="muted">{file.data.status === "pending" ? words.pending : words.failed}</p>
      ) : file.data !== undefined && bytes.data !== undefined ? (
        <Shown file={file.data} bytes={bytes.data} />
      ) : (
        <button
          type="button"
          className={controls["button"]}
          disabled={!isAllowed || isBusy}
          title={isAllowed ? undefined : text.problem.forbidden(SCOPE)}
          onClick={() => setAsked(true)}
        >
          {isBusy ? text.loading : words.load}
        </button>
      )}
    </div>
  );
}

function Shown({ file: { id, filename, mime_type: type }, bytes }: { file: File; bytes: Blob }) {
  const url = useObjectUrl(bytes);
  /** A picture that the browser cannot read; its bytes can still be saved. */
  const [isBroken, setBroken] = useState(false);
  const kind = shownAs(type);
  if (url === null) return null;
  return (
    <>
      {kind === "image" && !isBroken && <img src={url} alt={words.image} onError={() => setBroken(true)} />}
      {kind === "video" && <video src={url} controls />}
      {kind === "audio" && <audio src={url} controls />}
      <a href={url} download={filename ?? id} className={controls["button"]}>
        <Download size={14} aria-hidden />
        {filename === null ? words.saveFile : words.save(filename)}
      </a>
    </>
  );
}

/** An address of bytes in this page alone, null until it is there; given back when they are no longer shown. */
function useObjectUrl(bytes: Blob): string | null {
  const [url] = useState(() => new Store<string | null>(null));
  useEffect(() => {
    const created = URL.createObjectURL(bytes);
    url.set(created);
    return () => URL.revokeObjectURL(created);
  }, [bytes, url]);
  return useStore(url);
}
