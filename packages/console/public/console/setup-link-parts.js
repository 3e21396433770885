// What the page of a setup link is made of.
export const actions = (...links) => element("div", { className: "actions" }, links.filter(Boolean));
export const paragraph = (text, className = "") => element("p", { className }, [text].flat());

export function button(label, onClick, isPrimary) {
  const shown = element("button", { type: "button", className: isPrimary ? "primary" : "button" }, [label]);
  shown.addEventListener("click", () => void onClick());
  return shown;
}

export function element(name, attributes, children = []) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}
