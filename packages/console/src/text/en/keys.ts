export const keys = {
  go: "Go to",
  paletteKeys: "Ctrl K, or ⌘ K",
  palette: "Go to a page, an id or a number",
  placeholder: "Page, id or phone number",
  places: "Places",
  help: "Keyboard shortcuts",
  filter: "Search in the list",
  next: "Next row",
  previous: "Row before",
  refresh: "Read again",
  single: "Shortcuts of single keys",
  close: "Close",
};
