import "../pages.css";
import "./consent.css";

// The last page has what the window that opened the dialog is to get; the steps before are forms, and need no script.
const texts = document.querySelector<HTMLElement>("main")?.dataset["messages"];
if (texts !== undefined && window.opener !== null) {
  const opener = window.opener as Window; // it may be of any origin, as at the provider
  for (const text of JSON.parse(texts) as string[]) opener.postMessage(text, "*");
  window.close();
}
