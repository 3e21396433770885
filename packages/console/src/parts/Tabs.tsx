import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import styles from "./tabs.module.css";

export type TabsProps<Name extends string> = {
  label: string;
  /** In their order; what one shows is drawn once it is chosen. */
  tabs: readonly { name: Name; label: string; shows: ReactNode }[];
  /** The one in the address. */
  chosen: Name;
  onChoose(name: Name): void;
};

/** Parts of one thing, one of which is shown. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  return (
    <Base.Root value={chosen} onValueChange={onChoose} className={styles["root"]}>
      <Base.List className={styles["tabs"]} aria-label={label}>
        {tabs.map(({ name, label: shown }) => (
          <Base.Tab key={name} value={name} className={styles["tab"]}>
            {shown}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ name, shows }) => (
        <Base.Panel key={name} value={name} className={styles["panel"]}>
          {shows}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
