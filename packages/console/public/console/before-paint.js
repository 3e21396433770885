// Ahead of the first paint: the page has the looks that were chosen in this browser, its language and direction.
function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // Storage is switched off: the system decides.
  }
}

/** The language of each text file that the page names: the chosen one, else the first that the browser asks for. */
function chosenOf(links) {
  const exact = (tag) => links.find(({ hreflang }) => hreflang.toLowerCase() === tag.toLowerCase());
  const base = (tag) => tag.toLowerCase().split("-")[0];
  const near = (tag) => exact(tag) ?? links.find(({ hreflang }) => base(hreflang) === base(tag));
  return exact(stored("waypost-language") ?? "") ?? navigator.languages.map(near).find(Boolean);
}

const page = document.documentElement;
for (const name of ["theme", "density", "sidebar"]) page.dataset[name] = stored(`waypost-${name}`) ?? "";

const links = [...document.querySelectorAll("link[rel=text]")];
const chosen = chosenOf(links);
if (chosen) {
  page.lang = chosen.hreflang;
  page.dir = chosen.dir;
  // The script would find them only when all of it has come.
  for (const link of links) if (link.hreflang === chosen.hreflang) link.rel = "modulepreload";
}
