import { figure } from "./forms.ts";

export const firstSteps = {
  title: (done: number, all: number) => `First steps, ${figure(done)} of ${figure(all)}`,
  all: "First steps: all done",
  hide: "Hide",
  beside: "Open the phone beside this window",
  unseen: (scopes: string) => `This key lacks ${scopes}: what was done there is not seen.`,
  connect: "Connect a real number",
  connectHelp: "All of this works in the same way with a number of your own.",
  done: "Done",
  open: "To do",
  received: (kind: string) => `It got “${kind}”`,
  receiver: "The console's own receiver",
  steps: {
    send: {
      name: "Send a message",
      help: "An approved template to Ann, who is a person of the simulator. Watch it go out, arrive and be read.",
      way: "Write it",
    },
    answer: {
      name: "Answer it from the phone",
      help: "The virtual phone is beside this gateway. An answer opens the 24-hour window.",
      way: "Open the phone",
    },
    reply: {
      name: "Reply within the 24 hours",
      help: "While the window is open, any text may be sent.",
      way: "Write a reply",
    },
    receive: {
      name: "Receive a webhook",
      help: "The gateway posts to a receiver of its own. For your own program: waypost listen http://localhost:3000",
      way: "Receive here",
      look: "See what it got",
    },
    break: {
      name: "Break something",
      help: "These recipients always fail. See how it is shown, and what Waypost does about it.",
      ways: { notReachable: "Not on WhatsApp", overloaded: "Provider overloaded", noAnswer: "No answer at all" },
    },
  },
};
