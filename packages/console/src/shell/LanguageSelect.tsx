import controls from "../parts/controls.module.css";
import { language } from "../preferences.ts";
import { useStore } from "../store.ts";
import { text } from "../text/text.ts";
import { LANGUAGE_NAMES, LANGUAGE_VALUES, showLanguage } from "./language-choice.ts";

/** The choice of a language, where there is no menu for it. */
export function LanguageSelect() {
  const chosen = useStore(language);
  return (
    <label>
      <span className="muted">{text.header.language.label}</span>{" "}
      <select
        className={controls["input"]}
        value={chosen}
        onChange={(event) => {
          language.choose(LANGUAGE_VALUES.find((one) => one === event.currentTarget.value) ?? "browser");
          showLanguage();
        }}
      >
        {LANGUAGE_VALUES.map((value) => (
          <option key={value} value={value}>
            {LANGUAGE_NAMES[value]}
          </option>
        ))}
      </select>
    </label>
  );
}
