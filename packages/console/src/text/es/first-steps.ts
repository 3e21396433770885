import type * as en from "../en/first-steps.ts";
import { figure } from "./forms.ts";

export const firstSteps: typeof en.firstSteps = {
  title: (done, all) => `Primeros pasos, ${figure(done)} de ${figure(all)}`,
  all: "Primeros pasos: todo listo",
  hide: "Ocultar",
  beside: "Abrir el teléfono junto a esta ventana",
  unseen: (scopes) => `A esta clave le falta ${scopes}: no se ve qué se hizo allí.`,
  connect: "Conectar un número real",
  connectHelp: "Todo esto funciona igual con un número propio.",
  done: "Hecho",
  open: "Por hacer",
  received: (kind) => `Recibió «${kind}»`,
  receiver: "El receptor propio de la consola",
  steps: {
    send: {
      name: "Enviar un mensaje",
      help: "Una plantilla aprobada para Ann, una persona del simulador. Mira cómo sale, llega y se lee.",
      way: "Escribirlo",
    },
    answer: {
      name: "Contestarlo desde el teléfono",
      help: "El teléfono virtual está junto a este gateway. Una respuesta abre la ventana de 24 horas.",
      way: "Abrir el teléfono",
    },
    reply: {
      name: "Responder dentro de las 24 horas",
      help: "Mientras la ventana está abierta, se puede enviar cualquier texto.",
      way: "Escribir una respuesta",
    },
    receive: {
      name: "Recibir un webhook",
      help: "El gateway envía a un receptor propio. Para tu programa: waypost listen http://localhost:3000",
      way: "Recibir aquí",
      look: "Ver qué recibió",
    },
    break: {
      name: "Provocar un error",
      help: "Con estos destinatarios siempre falla. Mira cómo se muestra y qué hace Waypost.",
      ways: { notReachable: "No está en WhatsApp", overloaded: "Proveedor saturado", noAnswer: "Sin respuesta" },
    },
  },
};
