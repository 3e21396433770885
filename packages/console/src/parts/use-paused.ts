import { useEffect, useState } from "react";

/** The value as it was when it last stayed the same for so long; compared as JSON. */
export function usePaused<T>(value: T, pauseMs: number): T {
  const [paused, setPaused] = useState(value);
  const written = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(JSON.parse(written) as T), pauseMs); // what was written above
    return () => clearTimeout(timer);
  }, [written, pauseMs]);
  return paused;
}
