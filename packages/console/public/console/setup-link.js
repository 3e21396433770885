// The page of a setup link, where a client without access to the console connects an account: by the provider's dialog, in the place of this
// page. It knows the link's secret alone, sends no cookie of the console, and has nothing of the console's start.
import { askAs } from "./setup-link-call.js";
import { actions, button, element, paragraph } from "./setup-link-parts.js";
import { LANGUAGES, languageHere } from "./setup-link-texts.js";

/** How often it looks while a signup goes on; after a call that failed. */
const LOOK_MS = 1_000;
const AGAIN_MS = 3_000;
/** The dialog's code lives for 30 seconds. */
const CODE_TRIES = 6;

const page = document.getElementById("page");
const tag = languageHere();
const { locale, direction, words } = LANGUAGES[tag];
document.documentElement.lang = tag;
document.documentElement.dir = direction;

/** What is drawn: the link as it was read last, and what this page did. */
let view = null;
let notice = "";
let isDeclined = false;
/** It was seen to go on here, so its end leads back by itself. */
let wasBegun = false;
let drawn = "";
/** The browser keeps nothing: neither the secret nor the way back from the dialog. */
let isBlocked = false;

// The secret leaves the address and the history before anything else happens; this tab keeps it, for a reload and for the way back.
const secret = takeSecret();
const call = askAs(secret);
addEventListener("hashchange", () => location.reload()); // another link, opened in this tab
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
void begin();

function takeSecret() {
  const given = location.hash.slice(1);
  if (given !== "") history.replaceState(null, "", location.pathname);
  try {
    const kept = sessionStorage.getItem("waypost-setup-secret");
    if (given === "" || given === kept) return kept;
    forgetDialog(); // of another link
    sessionStorage.setItem("waypost-setup-secret", given);
    return given;
  } catch {
    isBlocked = true;
    return null;
  }
}

function forgetDialog() {
  for (const name of ["answer", "state"]) sessionStorage.removeItem(`waypost-setup-${name}`);
}

async function begin() {
  show(words.loading, []);
  if (secret === null) return showEnd(isBlocked ? "blocked" : "unknown");
  // Without an answer the dialog may still be open, one page ahead: who went back from it goes forward again.
  const answer = JSON.parse(sessionStorage.getItem("waypost-setup-answer"));
  if (answer !== null) {
    if (answer.code) await sendCode(answer);
    else isDeclined = true;
    forgetDialog();
  }
  await look();
}

/** The same code sent twice begins one signup, so a lost answer is asked for again. */
async function sendCode({ code, state }) {
  show(words.connecting, []);
  for (let tries = 1; ; tries++)
    try {
      await call("POST", "code", { code, state });
      wasBegun = true;
      return;
    } catch (error) {
      if (error.status === 403) notice = words.notAsked;
      if ((error.status < 500 && error.status !== 429) || tries === CODE_TRIES) return;
      await pause(error.afterMs ?? LOOK_MS);
    }
}

async function look() {
  for (;;) {
    const waitMs = await lookOnce();
    if (waitMs === null) return;
    await pause(waitMs);
  }
}

/** Reads the link and draws it. Resolves with when to look again; null: not by itself. */
async function lookOnce() {
  try {
    view = await call("GET", "view");
  } catch (error) {
    if (error.status === 401) return showEnd("unknown");
    if (error.status === 403) return showEnd("suspended");
    if (drawn !== "offline") show(words.offline, [paragraph(words.offlineHelp)]);
    drawn = "offline"; // said once
    return error.afterMs ?? AGAIN_MS;
  }
  draw();
  const { status, signup } = view;
  if (status === "completed" && wasBegun && view.return_url !== null) location.replace(returnAddress("completed"));
  const goesOn = signup !== null && ["pending", "running"].includes(signup.status);
  wasBegun ||= goesOn;
  return goesOn && status !== "completed" ? LOOK_MS : null;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function draw() {
  const { status, signup } = view;
  // What is written or opened stays while nothing has changed.
  const now = JSON.stringify([view, notice, isDeclined]);
  if (now === drawn) return;
  if (status === "completed") showEnd("completed");
  else if (status === "revoked") showEnd("revoked");
  else if (signup !== null && signup.status !== "failed") showProgress(signup);
  else if (status === "expired") showEnd("expired");
  else if (signup !== null) showFailure(signup);
  else showStart();
  drawn = now;
}

function showStart() {
  const until = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" });
  show(filled(words.title), [
    paragraph(filled(words.lead)),
    ...(isDeclined ? [paragraph(words.declined)] : []),
    actions(button(words.login, openDialog, true), isDeclined ? backLink("canceled") : null),
    paragraph(words.until.replace("{time}", until.format(new Date(view.expires_at))), "muted"),
  ]);
}

function showProgress({ steps }) {
  notice = "";
  const done = steps.filter(({ status }) => status === "done").length;
  const figure = new Intl.NumberFormat(locale);
  const label = words.step.replace("{done}", figure.format(done)).replace("{all}", figure.format(steps.length));
  const bar = element("progress", { max: steps.length, value: done, ariaLabel: label });
  show(words.connecting, [bar, paragraph(label), paragraph(words.goesOn, "muted")]);
}

/** What is settled elsewhere, so that the same login goes on afterwards. All else needs another one, or what its form asks for. */
const SETTLED_ELSEWHERE = new Set([
  "phone_number_not_verified",
  "conflict",
  "provider_rejected",
  "provider_unavailable",
  "given_up",
]);

function showFailure({ steps, accounts }) {
  const step = steps.find(({ status }) => status === "failed");
  const code = step?.code ?? "provider_unavailable";
  const form = formOf(code, accounts);
  const canResume = SETTLED_ELSEWHERE.has(code) && steps[0].status === "done";
  show(words.failed, [
    paragraph(words.reasons[code] ?? words.reasons.provider_rejected),
    ...(form === null ? [] : [form]),
    actions(
      canResume ? button(words.again, () => resume({}), true) : null,
      button(words.loginAgain, openDialog, !canResume && form === null),
      backLink("failed"),
    ),
    ...(step?.detail ? [detailsOf(step.detail)] : []),
  ]);
}

/** What the person has to add before it can go on; null: nothing. */
function formOf(code, accounts) {
  if (code === "pin_wrong")
    return form(words.pin, [
      field(words.pin, { name: "pin", inputMode: "numeric", pattern: "[0-9]{6}", maxLength: 6 }),
    ]);
  if (code !== "account_required") return null;
  const name = "provider_account_id";
  if (accounts === null)
    return form(words.account, [field(words.account, { name, inputMode: "numeric", pattern: "[0-9]{1,32}" })]);
  const choices = accounts.map((id) => {
    const choice = element("input", { type: "radio", name, value: id, required: true });
    return element("label", { className: "choice" }, [choice, element("bdi", {}, [id])]);
  });
  return form(words.account, [element("fieldset", {}, [element("legend", {}, [words.account]), ...choices])]);
}

function form(label, fields) {
  const sent = element("form", { ariaLabel: label }, [
    ...fields,
    element("button", { className: "primary" }, [words.goOn]),
  ]);
  sent.addEventListener("submit", (event) => {
    event.preventDefault();
    void resume(Object.fromEntries(new FormData(sent)));
  });
  return sent;
}

function field(label, attributes) {
  const input = element("input", { required: true, autocomplete: "off", dir: "ltr", ...attributes });
  return element("label", {}, [label, input]);
}

/** One of the ways to its end. Nothing can be done from there but to go back. */
function showEnd(name) {
  notice = "";
  const { title, help } = words.ends[name];
  const link = name === "completed" ? backLink("completed", true) : null;
  show(title, [paragraph(filled(help)), actions(link)]);
  return null;
}

async function openDialog() {
  await act(async () => {
    const { dialog_url: address } = await call("POST", "dialog", {});
    sessionStorage.setItem("waypost-setup-state", new URL(address).searchParams.get("state"));
    location.assign(address);
    await pause(AGAIN_MS); // the page is on its way out
  });
}

const resume = (addition) => act(() => call("POST", "resume", addition));

/** Does it once at a time, and looks at what became of it. */
async function act(work) {
  for (const control of page.querySelectorAll("button, input")) control.disabled = true;
  notice = "";
  isDeclined = false;
  drawn = "";
  // Where it was refused for what the link has become, the page says that instead.
  await work().catch(() => {
    notice = words.notDone;
  });
  await look();
}

/** Where the client came from, with how it ended and nothing else. */
function returnAddress(status) {
  const address = new URL(view.return_url);
  address.searchParams.set("status", status);
  if (view.signup !== null) address.searchParams.set("embedded_signup_id", view.signup.id);
  return address.href;
}

function backLink(status, isPrimary = false) {
  if (view?.return_url == null) return null;
  const [before, behind] = words.back.split("{host}");
  const host = element("bdi", { dir: "ltr" }, [new URL(view.return_url).host]);
  const attributes = { href: returnAddress(status), rel: "noreferrer", className: isPrimary ? "primary" : "button" };
  // As one part: between the parts of a button there are no spaces.
  return element("a", attributes, [element("span", {}, [before, host, behind])]);
}

/** A text with the workspace's name in it, which may be written in another direction. */
function filled(text) {
  const name = () => element("bdi", {}, [view?.workspace ?? ""]);
  return text.split("{name}").flatMap((part, index) => (index === 0 ? [part] : [name(), part]));
}

function show(title, content) {
  drawn = "";
  const heading = element("h1", { tabIndex: -1 }, [title].flat());
  const said = element("p", { role: "status", className: "notice", hidden: notice === "" }, [notice]);
  page.replaceChildren(heading, said, ...content, languages());
  document.title = heading.textContent;
  heading.focus();
}

function languages() {
  const options = Object.entries(LANGUAGES).map(([value, { name }]) =>
    element("option", { value, selected: value === tag, lang: value }, [name]),
  );
  const choice = element("select", {}, options);
  choice.addEventListener("change", () => {
    try {
      localStorage.setItem("waypost-language", choice.value);
      location.reload();
    } catch {
      // Storage is switched off: the browser decides.
    }
  });
  return element("label", { className: "language" }, [
    element("span", { className: "muted" }, [words.language]),
    choice,
  ]);
}

/** In the gateway's own English, for who can help. */
const detailsOf = (text) =>
  element("details", {}, [element("summary", {}, [words.details]), element("p", { lang: "en", dir: "ltr" }, [text])]);
