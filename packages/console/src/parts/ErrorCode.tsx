import type { ReactNode } from "react";
import { addressOf } from "../api/client.ts";

type ErrorCodeProps = {
  code: string;
  /** What is read instead of the code. */
  children?: ReactNode;
};

/** An error's code. Leads to its page of the reference: what it means, who must act, and what to do. */
export function ErrorCode({ code, children = <code>{code}</code> }: ErrorCodeProps) {
  return (
    <a href={addressOf(`docs/errors/${encodeURIComponent(code)}`)} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
