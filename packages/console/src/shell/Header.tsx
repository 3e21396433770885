import { Menu } from "@base-ui/react/menu";
import { Check, CircleUserRound, Search } from "lucide-react";
import { type RefObject, useRef } from "react";
import { liveness } from "../api/live.ts";
import type { Session } from "../api/session.ts";
import { applyTheme, language, theme, zone } from "../preferences.ts";
import { type Choice, useStore } from "../store.ts";
import { text } from "../text/text.ts";
import { overlay } from "./keys/overlay.ts";
import { LANGUAGE_NAMES, LANGUAGE_VALUES, showLanguage } from "./language-choice.ts";
import styles from "./shell.module.css";
import { useSignOut } from "./sign-out.ts";

/** Where one is and who one is, over every page. */
export function Header({ session }: { session: Session }) {
  const live = useStore(liveness);
  const header = useRef<HTMLElement>(null);
  return (
    <header ref={header} className={styles["header"]}>
      <p className={styles["workspace"]}>{session.workspace?.name ?? text.header.operator}</p>
      {session.workspace !== null && (
        <p className={styles["live"]} data-state={live} title={text.header.liveMeans[live]} role="status">
          {text.header.live[live]}
        </p>
      )}
      <button
        type="button"
        className={styles["search"]}
        aria-label={text.keys.palette}
        title={text.keys.paletteKeys}
        onClick={() => overlay.set("palette")}
      >
        <Search size={18} aria-hidden />
        <span>{text.keys.go}</span>
      </button>
      <AccountMenu session={session} container={header} />
    </header>
  );
}

/** `container`: where the menu is put, so that it is within a landmark of the page. */
function AccountMenu({ session, container }: { session: Session; container: RefObject<HTMLElement | null> }) {
  const name = session.key?.name ?? text.header.operator;
  const signOut = useSignOut(session);
  return (
    <Menu.Root>
      <Menu.Trigger className={styles["account"]} aria-label={text.header.account(name)}>
        <CircleUserRound size={18} aria-hidden />
        <span dir="auto">{name}</span>
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner className={styles["positioner"]} sideOffset={4} align="end">
          <Menu.Popup className={styles["menu"]}>
            <ChoiceItems
              choice={theme}
              label={text.header.theme.label}
              values={["system", "light", "dark"]}
              names={text.header.theme}
              onChosen={applyTheme}
            />
            <ChoiceItems
              choice={language}
              label={text.header.language.label}
              values={LANGUAGE_VALUES}
              names={LANGUAGE_NAMES}
              onChosen={showLanguage}
            />
            <ChoiceItems
              choice={zone}
              label={text.header.zone.label}
              values={["local", "utc"]}
              names={text.header.zone}
            />
            <Menu.Separator className={styles["separator"]} />
            <Menu.Item className={styles["item"]} onClick={() => overlay.set("help")}>
              {text.keys.help}
            </Menu.Item>
            <Menu.Item className={styles["item"]} onClick={() => void signOut()}>
              {text.header.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function ChoiceItems<T extends string>({
  choice,
  label,
  values,
  names,
  onChosen,
}: {
  choice: Choice<T>;
  label: string;
  values: readonly T[];
  names: Readonly<Record<T, string>>;
  onChosen?: () => void;
}) {
  const chosen = useStore(choice);
  const choose = (value: T): void => {
    choice.choose(value);
    onChosen?.();
  };
  return (
    <Menu.RadioGroup value={chosen} onValueChange={choose}>
      <Menu.GroupLabel className={styles["group"]}>{label}</Menu.GroupLabel>
      {values.map((value) => (
        <Menu.RadioItem key={value} value={value} className={styles["item"]}>
          <span>{names[value]}</span>
          <Menu.RadioItemIndicator>
            <Check size={14} aria-hidden />
          </Menu.RadioItemIndicator>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
