import { useCallback, useSyncExternalStore } from "react";

/** Up to here it is a phone, in styles too. */
export const PHONE = "(max-width: 640px)";
/** From here there is room for a detail beside its list. */
export const WIDE = "(min-width: 1280px)";

/** Whether a media query holds, now and after each change of the window. */
export function useMedia(query: string): boolean {
  const watch = useCallback(
    (onChange: () => void): (() => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(watch, () => matchMedia(query).matches);
}
