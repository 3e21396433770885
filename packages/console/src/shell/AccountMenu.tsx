import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { applyLooks, density, language, theme, zone } from "../preferences.ts";
import { type Choice, useStore } from "../store.ts";
import { text } from "../text/text.ts";
import styles from "./header.module.css";
import { overlay } from "./keys/overlay.ts";
import { LANGUAGE_NAMES, LANGUAGE_VALUES, showLanguage } from "./language-choice.ts";

export type AccountMenuProps = {
  label: string;
  /** What its button shows. */
  children: ReactNode;
  /** Where the menu is put, so that it is within a landmark of the page. */
  container: RefObject<HTMLElement | null>;
  onOpen(): void;
  onSignOut(): void;
};

/** Looks, language, times and the way out. It is loaded when it is opened, and so begins open. */
export function AccountMenu({ label, children, container, onOpen, onSignOut }: AccountMenuProps) {
  return (
    <Menu.Root defaultOpen onOpenChange={(isOpen) => isOpen && onOpen()}>
      <Menu.Trigger className={styles["account"]} aria-label={label}>
        {children}
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner className={styles["positioner"]} sideOffset={4} align="end">
          <Menu.Popup className={styles["menu"]}>
            <ChoiceItems
              choice={theme}
              label={text.header.theme.label}
              values={["system", "light", "dark"]}
              names={text.header.theme}
              onChosen={applyLooks}
            />
            <ChoiceItems
              choice={density}
              label={text.header.density.label}
              values={["comfortable", "compact"]}
              names={text.header.density}
              onChosen={applyLooks}
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
            <Menu.Item className={styles["item"]} onClick={onSignOut}>
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
