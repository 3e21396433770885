// Ahead of the first paint: a choice that was stored in this browser replaces the system's.
try {
  const theme = localStorage.getItem("waypost-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system decides.
}
