import type * as en from "../en/first-steps.ts";
import { figure } from "./forms.ts";

export const firstSteps: typeof en.firstSteps = {
  title: (done, all) => `Primeiros passos, ${figure(done)} de ${figure(all)}`,
  all: "Primeiros passos: tudo pronto",
  hide: "Ocultar",
  beside: "Abrir o celular ao lado desta janela",
  unseen: (scopes) => `Esta chave não tem ${scopes}: o que foi feito ali não é visto.`,
  connect: "Conectar um número real",
  connectHelp: "Tudo isso funciona da mesma forma com um número seu.",
  done: "Feito",
  open: "A fazer",
  received: (kind) => `Recebeu “${kind}”`,
  receiver: "O receptor do próprio console",
  steps: {
    send: {
      name: "Enviar uma mensagem",
      help: "Um modelo aprovado para Ann, uma pessoa do simulador. Veja a mensagem sair, chegar e ser lida.",
      way: "Escrever",
    },
    answer: {
      name: "Responder pelo celular",
      help: "O celular virtual fica ao lado deste gateway. Uma resposta abre a janela de 24 horas.",
      way: "Abrir o celular",
    },
    reply: {
      name: "Responder dentro das 24 horas",
      help: "Enquanto a janela está aberta, qualquer texto pode ser enviado.",
      way: "Escrever uma resposta",
    },
    receive: {
      name: "Receber um webhook",
      help: "O gateway envia para um receptor próprio. Para o seu programa: waypost listen http://localhost:3000",
      way: "Receber aqui",
      look: "Ver o que recebeu",
    },
    break: {
      name: "Provocar uma falha",
      help: "Estes destinatários sempre falham. Veja como isso aparece e o que o Waypost faz.",
      ways: { notReachable: "Não está no WhatsApp", overloaded: "Provedor sobrecarregado", noAnswer: "Sem resposta" },
    },
  },
};
