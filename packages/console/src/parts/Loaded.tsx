import type { UseQueryResult } from "@tanstack/react-query";
import { ApiError } from "@waypost/sdk";
import type { ReactNode } from "react";
import { text } from "../text/text.ts";
import { Empty } from "./Empty.tsx";
import { PageHead, Skeleton } from "./Page.tsx";
import { Problem } from "./Problem.tsx";

export type LoadedProps<T> = {
  /** Of one thing, by its id. */
  query: Pick<UseQueryResult<T>, "data" | "error" | "refetch">;
  id: string;
  /** Where there is none with this id. */
  words: { notFound: string; notFoundHelp: string };
  /** What was read is not shown once it is gone: nothing is kept of a person. */
  isForgotten?: boolean;
  /** Draws what was read. */
  children(data: T): ReactNode;
};

/** One thing as it was read; in its place, what is there until then, where there is none, and why it could not be read. */
export function Loaded<T>({
  query: { data, error, refetch },
  id,
  words,
  isForgotten = false,
  children,
}: LoadedProps<T>) {
  const isNone = error instanceof ApiError && error.status === 404;
  if (isNone && (data === undefined || isForgotten))
    return (
      <>
        <PageHead title={words.notFound} />
        <Empty title={id}>
          <p className="muted">{words.notFoundHelp}</p>
        </Empty>
      </>
    );
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data !== undefined ? children(data) : error === null && <Skeleton label={text.loading} />}
    </>
  );
}
