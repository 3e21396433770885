import { Popover } from "@base-ui/react/popover";
import { useQueries } from "@tanstack/react-query";
import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { seen, type Work, works } from "../../api/works.ts";
import { listOf } from "../../parts/list-of.ts";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import header from "../header.module.css";
import styles from "./tray.module.css";
import { tallyOf, type Watched } from "./watched.ts";
import { workQuery } from "./work-query.ts";

const words = text.tray;

/** The works that a person began, wherever the person is now; one leaves it once it has ended and its page was seen. */
export function Tray({ container }: { container: RefObject<HTMLElement | null> }) {
  const [isOpen, setOpen] = useState(false);
  const all = useStore(works);
  const asked = useQueries({ queries: all.map(workQuery) });
  const href = useLocation({ select: (location) => location.href });
  const over = all.filter(({ id }, index) => {
    const found = asked[index]?.data;
    return found === null || (found?.hasEnded === true && href.includes(id));
  });
  const gone = over.map(({ id }) => id).join(" ");
  useEffect(() => {
    if (gone !== "") for (const id of gone.split(" ")) seen(id);
  }, [gone]);
  const shown = all.flatMap((work, index) => (over.includes(work) ? [] : [asked[index]?.data]));
  if (shown.length === 0) return null;
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className={header["search"]} title={words.title}>
        <Hourglass size={16} aria-hidden />
        {labelOf(tallyOf(shown))}
      </Popover.Trigger>
      <Popover.Portal container={container}>
        <Popover.Positioner className={header["positioner"]} sideOffset={4} align="end">
          <Popover.Popup className={styles["tray"]}>
            <Popover.Title className={styles["title"]}>{words.title}</Popover.Title>
            <ul>
              {all.map((work, index) => {
                const { data, error, refetch } = asked[index] ?? { error: null };
                return (
                  <li key={work.id}>
                    {data != null && <One work={work} watched={data} onLeave={() => setOpen(false)} />}
                    {error !== null && <Problem error={error} retry={() => void refetch?.()} />}
                  </li>
                );
              })}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** While one runs, that one does. */
function labelOf({ running, done, failed }: ReturnType<typeof tallyOf>): string {
  if (running > 0) return words.running(running);
  return listOf([...(done > 0 ? [words.ended(done)] : []), ...(failed > 0 ? [words.failed(failed)] : [])]);
}

function One({ work, watched, onLeave }: { work: Work; watched: Watched; onLeave(): void }) {
  const { name, status, said, part } = watched;
  return (
    <>
      <p className={styles["head"]}>
        <Link {...linkOf(work)} onClick={onLeave}>
          {name}
        </Link>
        <Status state={status} />
      </p>
      <progress className={styles["bar"]} aria-label={name} max={1} {...(part === null ? {} : { value: part })} />
      <p className="muted">{said}</p>
    </>
  );
}

function linkOf(work: Work): LinkProps {
  if (work.kind === "replay") return paths.endpoint(work.endpointId, { tab: "replays", replay: work.id });
  return work.kind === "signup" ? paths.signup(work.id) : paths.import(work.id);
}
