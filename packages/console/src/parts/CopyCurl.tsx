import { addressOf } from "../api/client.ts";
import { text } from "../text/text.ts";
import { CopyButton } from "./Copy.tsx";
import controls from "./controls.module.css";
import { curlOf, type How } from "./curl.ts";

/** A call of the API. `path`: with its query, without a slash before it. */
export type Call = How & { path: string };

export const commandOf = ({ path, ...how }: Call): string => curlOf(addressOf(path), how);

/** Copies the command that asks the API for what the page shows. */
export const CopyCurl = (call: Call) => <CopyCurlOf of={() => call} />;

/** The same for a call that is not known before; null: there is none yet. */
export function CopyCurlOf({ of }: { of: (() => Call) | null }) {
  return (
    <CopyButton
      className={controls["button"] ?? ""}
      value={of === null ? null : () => commandOf(of())}
      label={text.message.curl}
    >
      {text.message.curl}
    </CopyButton>
  );
}
