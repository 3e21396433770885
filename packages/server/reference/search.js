// The search of the reference's index: without this script the page is whole, and the browser's own search finds what is there.
const box = document.querySelector(".search");
const field = box?.querySelector("input");
const found = box?.querySelector("[role=status]");
if (box && field && found) {
  const rows = [...document.querySelectorAll("main tbody tr, main > ul > li")].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("main h2")].map((heading) => {
    const parts = [heading];
    for (let next = heading.nextElementSibling; next && next.tagName !== "H2"; next = next.nextElementSibling)
      parts.push(next);
    return parts;
  });

  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) count += 1;
    }
    for (const parts of groups) {
      const isEmpty =
        words.length > 0 && !parts.some((part) => part.querySelector("tbody tr:not([hidden]), li:not([hidden])"));
      for (const part of parts) part.hidden = isEmpty;
    }
    found.textContent = words.length === 0 ? "" : count === 0 ? "Nothing fits." : `${count} found`;
  };

  box.hidden = false;
  field.addEventListener("input", search);
  // What was typed before stays when a visitor comes back.
  search();
}
