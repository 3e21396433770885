import type { MouseEvent } from "react";
import controls from "../../parts/controls.module.css";

type PhoneLinkProps = { url: string; children: string };

/** Opens the virtual phone in a window of its own beside this one; in a new tab where the browser opens no window, or the person asks for one. */
export function PhoneLink({ url, children }: PhoneLinkProps) {
  const onClick = (event: MouseEvent): void => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (isPlain && window.open(url, "_blank", beside(window)) !== null) event.preventDefault();
  };
  return (
    <a className={controls["button"]} href={url} target="_blank" rel="noreferrer" onClick={onClick}>
      {children}
    </a>
  );
}

/** As wide as a phone with the list of people beside it. */
const WIDTH_PX = 760;

/** Where there is no room, the browser moves it back onto the screen. */
const beside = ({ screenX, screenY, outerWidth, outerHeight }: Window): string =>
  `popup,width=${WIDTH_PX},height=${outerHeight},left=${screenX + outerWidth},top=${screenY}`;
