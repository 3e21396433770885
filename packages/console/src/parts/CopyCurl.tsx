import { addressOf } from "../api/client.ts";
import { curlOf } from "../pages/message/curl.ts";
import { text } from "../text/text.ts";
import { CopyButton } from "./Copy.tsx";
import controls from "./controls.module.css";

/** Copies the command that asks the API for what the page shows. `path`: of a GET, with its query, without a slash before it. */
export function CopyCurl({ path }: { path: string }) {
  return (
    <CopyButton className={controls["button"] ?? ""} value={curlOf(addressOf(path))} label={text.message.curl}>
      {text.message.curl}
    </CopyButton>
  );
}
