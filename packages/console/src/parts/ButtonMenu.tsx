import { Menu } from "@base-ui/react/menu";
import { type ReactNode, useRef } from "react";
import styles from "./button-menu.module.css";
import controls from "./controls.module.css";

type ButtonMenuProps = {
  /** What the button says. */
  children: ReactNode;
  items: readonly { key: string; label: string; onChoose(): void }[];
  disabled?: boolean | undefined;
  title?: string | undefined;
};

/** A button that opens a menu of what can be done or chosen. */
export function ButtonMenu({ children, items, ...button }: ButtonMenuProps) {
  // The menu is put beside its button, so that it is within a landmark of the page.
  const frame = useRef<HTMLDivElement>(null);
  return (
    <div ref={frame}>
      <Menu.Root>
        <Menu.Trigger {...button} className={controls["button"]}>
          {children}
        </Menu.Trigger>
        <Menu.Portal container={frame}>
          <Menu.Positioner className={styles["positioner"]} sideOffset={4} align="start">
            <Menu.Popup className={styles["menu"]}>
              {items.map(({ key, label, onChoose }) => (
                <Menu.Item key={key} className={styles["item"]} onClick={onChoose}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  );
}
