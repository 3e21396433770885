/** Runs at once, and of all calls in the time after that once more at its end. */
export function throttled(run: () => void, everyMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isAsked = false;
  const call = (): void => {
    if (timer !== null) {
      isAsked = true;
      return;
    }
    run();
    timer = setTimeout(() => {
      timer = null;
      const again = isAsked;
      isAsked = false;
      if (again) call();
    }, everyMs);
  };
  return call;
}
