import type { FastifyInstance } from "fastify";
import type { Control } from "../control/control.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import { renderBody } from "../sending/template-parameters.ts";
import { isNumberHidden } from "../simulation/identity.ts";
import type { InboundEntry, Simulation } from "../simulation/simulation.ts";
import type { SentEntry } from "../world/sent.ts";
import { templateKey } from "../world/template.ts";
import { isUserId } from "../world/user-ids.ts";
import { shownContent } from "./phone-content.ts";

/** How many of the newest messages the page shows. */
const SHOWN = 60;

type Bubble = { at: number; side: "in" | "out"; text: string; note: string };
/** `person` is the number, or the user id where only that is known. */
type Chat = { phoneNumberId: string; person: string; title: string; bubbles: Bubble[] };

/** The virtual phone: what people received, and a form that answers for them. Works without any outside resource. */
export function registerPhonePage(app: FastifyInstance, sim: Simulation, control: Control): void {
  app.get("/sim", (_request, reply) => {
    void reply
      .type("text/html; charset=utf-8")
      .header(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      )
      .header("cache-control", "no-store")
      .send(page(chatsOf(sim)));
  });
  app.post<{ Body: unknown }>("/sim/reply", (request, reply) => {
    const body = isRecord(request.body) ? request.body : {};
    const phone_number_id = textOf(body["phone_number_id"]) ?? "";
    const from = textOf(body["from"]) ?? "";
    const text = textOf(body["text"]);
    if (text !== undefined) control.inbound({ phone_number_id, from, text: { body: text } });
    // 303, so that reloading the page does not send the reply again.
    return reply.code(303).header("location", "/sim").send();
  });
}

function chatsOf(sim: Simulation): Chat[] {
  const chats = new Map<string, Chat>();
  const add = (phoneNumberId: string, person: string, bubble: Bubble) => {
    const key = `${phoneNumberId} ${person}`;
    const chat = chats.get(key) ?? { phoneNumberId, person, title: titleOf(sim, phoneNumberId, person), bubbles: [] };
    chat.bubbles.push(bubble);
    chats.set(key, chat);
  };
  const sent = sim.sent.read(Math.max(0, sim.sent.total - SHOWN), SHOWN, (entry) => entry.accepted).data;
  for (const entry of sent) add(entry.phone_number_id, personOf(sim, entry), outgoing(sim, entry));
  const received = sim.inbound.read(Math.max(0, sim.inbound.total - SHOWN), SHOWN, () => true).data;
  for (const entry of received) add(entry.phone_number_id, entry.from, incoming(entry));
  const newest = (chat: Chat) => Math.max(...chat.bubbles.map((bubble) => bubble.at));
  for (const chat of chats.values()) chat.bubbles.sort((a, b) => a.at - b.at);
  return [...chats.values()].sort((a, b) => newest(b) - newest(a));
}

// A message to a user id belongs into the chat of the number behind it, which the person's phone shows all the same.
function personOf(sim: Simulation, entry: SentEntry): string {
  if (entry.user_id === null) return entry.wa_id ?? "";
  return sim.world.people.byLiveUserId(entry.user_id)?.waId ?? entry.user_id;
}

function titleOf(sim: Simulation, phoneNumberId: string, person: string): string {
  const { people } = sim.world;
  const known = isUserId(person) ? people.byLiveUserId(person) : people.find(person);
  const number = sim.world.phoneNumbers.get(phoneNumberId);
  const name = isUserId(person) ? person : `+${person}`;
  const username = known?.username == null ? "" : ` (@${known.username})`;
  const hidden = known !== undefined && number !== undefined && isNumberHidden(sim, number, known);
  return `${name}${username}${hidden && !isUserId(person) ? ", number hidden," : ""} with ${phoneNumberId}`;
}

function outgoing(sim: Simulation, entry: SentEntry): Bubble {
  const code = entry.code === null ? "" : ` (${entry.code})`;
  return { at: entry.at, side: "in", text: contentOf(sim, entry), note: `${entry.status ?? "accepted"}${code}` };
}

function incoming(entry: InboundEntry): Bubble {
  return { at: entry.at, side: "out", text: entry.text, note: "" };
}

function contentOf(sim: Simulation, entry: SentEntry): string {
  const request = isRecord(entry.request) ? entry.request : {};
  const sent = request[entry.type ?? ""];
  if (entry.type !== "template" || !isRecord(sent)) return shownContent(entry.type ?? "message", sent);
  const language = isRecord(sent["language"]) ? (textOf(sent["language"]["code"]) ?? "") : "";
  const account = sim.world.phoneNumbers.get(entry.phone_number_id)?.account;
  const template = account?.templates.get(templateKey(entry.template ?? "", language));
  return template === undefined ? `[template ${entry.template ?? ""}]` : renderBody(template, sent["components"]);
}

function page(chats: readonly Chat[]): string {
  const body = chats.length === 0 ? "<p>No messages yet. Send one, then reload.</p>" : chats.map(chatHtml).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Virtual phone</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<style>
:root{color-scheme:light dark;--line:#8886;--in:#8882;--out:#1a73}
body{font:16px/1.45 system-ui,sans-serif;max-width:42rem;margin:0 auto;padding:1rem}
section{border:1px solid var(--line);border-radius:.6rem;padding:.8rem;margin:0 0 1rem}
h1{font-size:1.3rem}h2{font-size:1rem;margin:0 0 .6rem}
ol{list-style:none;margin:0;padding:0}li{margin:0 0 .4rem;display:flex}li.out{justify-content:flex-end}
li>div{background:var(--in);border-radius:.6rem;padding:.35rem .7rem;max-width:85%;white-space:pre-wrap;overflow-wrap:anywhere}
li.out>div{background:var(--out)}small{opacity:.75;display:block}
form{display:flex;gap:.5rem;margin-top:.6rem}input[name=text]{flex:1;min-width:0}input,button,a{font:inherit}input,button{padding:.4rem .6rem}
</style></head><body><h1>Virtual phone</h1><p><a href="/sim">Reload</a> for new messages and statuses.</p>
<main>${body}</main></body></html>`;
}

function chatHtml(chat: Chat): string {
  const person = escapeHtml(chat.person);
  const number = escapeHtml(chat.phoneNumberId);
  const bubbles = chat.bubbles
    .map(({ side, text, note, at }) => {
      const time = new Date(at).toISOString().slice(11, 19);
      return `<li class="${side}"><div>${escapeHtml(text)}<small>${time} ${escapeHtml(note)}</small></div></li>`;
    })
    .join("");
  return `<section><h2>${escapeHtml(chat.title)}</h2><ol>${bubbles}</ol>
<form method="post" action="/sim/reply"><input type="hidden" name="phone_number_id" value="${number}">
<input type="hidden" name="from" value="${person}">
<input name="text" required maxlength="4096" autocomplete="off" placeholder="Reply" aria-label="Reply as ${person}"><button>Send</button></form></section>`;
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] ?? char);
}
