/** What the provider's dialog returned, as `public/console/signup-return.js` passes it on. */
export type DialogAnswer = { state: string; code: string | null; error: string | null };

const STATE = "waypost-signup-state";
const ANSWER = "waypost-signup-answer";
const SIZE = "popup,width=600,height=700";

/** 32 random bytes: who does not know them can pass no answer to this page. */
const newState = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Opens the provider's dialog in a window of its own and calls back once with its answer; returns the function that stops waiting. Where the
 * browser opens no window, the dialog takes the place of this page: its answer is then found by `answerHere`.
 */
export function openDialog(dialogUrl: string, onAnswer: (answer: DialogAnswer) => void): () => void {
  const state = newState();
  const address = `${dialogUrl}&state=${state}`;
  const channel = new BroadcastChannel(`waypost-signup-${state}`);
  channel.addEventListener("message", ({ data }) => {
    const answer = data as DialogAnswer; // as the page of the return writes it
    if (answer.state !== state) return;
    channel.postMessage("taken");
    channel.close();
    onAnswer(answer);
  });
  if (window.open(address, "_blank", SIZE) === null) {
    sessionStorage.setItem(STATE, state);
    location.assign(address);
  }
  return () => channel.close();
}

/** The answer that a dialog in the place of this page has left, once. */
export function answerHere(): DialogAnswer | null {
  const [state, left] = [sessionStorage.getItem(STATE), sessionStorage.getItem(ANSWER)];
  sessionStorage.removeItem(STATE);
  sessionStorage.removeItem(ANSWER);
  if (state === null || left === null) return null;
  const answer = JSON.parse(left) as DialogAnswer; // as the page of the return writes it
  return answer.state === state ? answer : null;
}
