import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { attemptsQuery } from "../../api/queries/webhooks.ts";
import { now } from "../../parts/now.ts";
import { useSeen } from "../../parts/use-seen.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { cellsOf, halfHoursBegin, stateOf } from "./cells.ts";
import styles from "./endpoints.module.css";

const WIDTH = 5;
const HEIGHTS = { none: 4, good: 16, some: 16, all: 16 } as const;

/** The last 24 hours of an endpoint; asked for once it is seen, because a workspace may have a hundred. */
export function Day({ id }: { id: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(place);
  const begin = halfHoursBegin(useStore(now));
  const { data } = useQuery({ ...attemptsQuery(id, new Date(begin).toISOString()), enabled: isSeen });
  const cells = cellsOf(data ?? [], begin);
  const sum = (status: "succeeded" | "failed"): number => cells.reduce((total, cell) => total + cell[status], 0);
  const words = data === undefined ? "" : text.endpoints.day(sum("succeeded"), sum("failed"));
  return (
    <span ref={place} className={styles["day"]} title={words}>
      <svg
        viewBox={`0 0 ${cells.length * WIDTH} 16`}
        className={`${styles["cells"]} mirrored`}
        aria-hidden
        preserveAspectRatio="none"
      >
        {cells.map((cell, index) => {
          const state = stateOf(cell);
          const height = HEIGHTS[state];
          return (
            <g key={cell.at} data-state={state}>
              <rect x={index * WIDTH} y={16 - height} width={WIDTH - 1} height={height} />
              {state === "some" && <rect data-part x={index * WIDTH} y="0" width={WIDTH - 1} height="8" />}
              {state === "all" && <path d={`M${index * WIDTH} 12l${WIDTH - 1} -8`} />}
            </g>
          );
        })}
      </svg>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
