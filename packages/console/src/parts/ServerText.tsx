import type { ReactNode } from "react";

/** What the gateway or the provider says, which is English in every language of the console. */
export function ServerText({ children }: { children: ReactNode }) {
  return (
    <bdi lang="en" dir="ltr">
      {children}
    </bdi>
  );
}
