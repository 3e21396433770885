import type * as en from "../en/places.ts";

export const places: typeof en.places = {
  none: "Nada corresponde. São aceitos nomes de páginas, IDs (msg_…, con_…, evt_… e os demais), wamid.…, os IDs do provedor e números de telefone.",
  badId: "São aceitos IDs (msg_…, con_…, evt_… e os demais), wamid.… e números de telefone.",
  messagesOf: (value) => `Mensagens de ${value}`,
  contactWith: (value) => `Contato com ${value}`,
  callsAbout: (id) => `Chamadas sobre ${id}`,
  callsWith: (id) => `Chamadas com ${id}`,
  kinds: {
    msg: "Mensagem",
    con: "Contato",
    whe: "Endpoint de webhook",
    dlv: "Entrega",
    tpl: "Modelo",
    num: "Número",
    acc: "Conta comercial",
    sgn: "Cadastro",
    evt: "Evento",
    imp: "Importação",
    seg: "Segmento",
    key: "Chave de API",
    aud: "Chamada",
    qrn: "Quarentena",
    ws: "Espaço de trabalho",
  },
  of: (kind, id) => `${kind} ${id}`,
};
