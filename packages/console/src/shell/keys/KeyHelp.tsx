import type { Session } from "../../api/session.ts";
import controls from "../../parts/controls.module.css";
import { shortcuts } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { entriesOf } from "../entries.ts";
import styles from "./keys.module.css";
import { Overlay } from "./Overlay.tsx";

/** All shortcuts; those of a single key can be switched off, for people whose software types for them. */
export function KeyHelp({ session, onClose }: { session: Session; onClose(): void }) {
  const choice = useStore(shortcuts);
  const pages = entriesOf(session).flatMap(({ letter, label }) =>
    letter === undefined ? [] : [[["g", letter], label] as const],
  );
  const rows = [
    [["Ctrl", "K"], text.keys.palette],
    [["/"], text.keys.filter],
    [["j"], text.keys.next],
    [["k"], text.keys.previous],
    [["c"], text.compose.title],
    [["r"], text.keys.refresh],
    [["?"], text.keys.help],
    ...pages,
  ] as const;
  return (
    <Overlay label={text.keys.help} onClose={onClose}>
      <h2>{text.keys.help}</h2>
      <dl className={styles["keys"]}>
        {rows.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className={styles["switch"]}>
        <input
          type="checkbox"
          checked={choice === "on"}
          onChange={({ target }) => shortcuts.choose(target.checked ? "on" : "off")}
        />
        {text.keys.single}
      </label>
      <button type="button" className={controls["button"]} onClick={onClose}>
        {text.keys.close}
      </button>
    </Overlay>
  );
}
