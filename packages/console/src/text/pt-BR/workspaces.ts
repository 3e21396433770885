import type * as en from "../en/workspaces.ts";
import { figure, plural } from "./forms.ts";

export const workspaces: typeof en.workspaces = {
  title: "Espaços de trabalho",
  lead: "Entre em um para ver as mensagens como a equipe dele vê.",
  columns: { name: "Nome", status: "Status", created: "Criado", enter: "Entrar" },
  enter: "Entrar",
  enterNamed: (name) => `Entrar em ${name}`,
  empty: "Ainda não há espaços de trabalho",
  emptyHelp: "Um espaço de trabalho tem as próprias pessoas, números e chaves; nenhum outro os vê.",
  create: "Novo espaço de trabalho",
  creating: "Criando",
  name: "Nome",
  nameHelp: "Para as pessoas, como o responsável por ele. Não precisa ser único.",
  scopes: "Permissões da primeira chave",
  firstKey: "Primeira chave",
  created: (name) => `A primeira chave de ${name}`,
};

export const workspace: typeof en.workspace = {
  notFound: "Este espaço de trabalho não existe",
  notFoundHelp: "O ID está errado ou ele nunca esteve aqui.",
  facts: "Dados",
  updated: "Alterado",
  rename: "Renomear",
  renaming: "Salvando",
  keys: "Chaves de API",
  keysHelp: "Para trocar ou revogar uma, entre no espaço de trabalho.",
  noKeys: "Ainda não há chaves",
  noKeysHelp: "Os programas dele, e as pessoas dele aqui, precisam de uma.",
  suspend: "Suspender",
  suspending: "Suspendendo",
  suspendAsk: (name) => `Suspender ${name}?`,
  suspendKeys: (live, isMore) => {
    if (isMore) return `Mais de ${figure(live)} chaves são recusadas em 5 segundos, e as sessões dele aqui terminam.`;
    if (live === 0) return "Ele não tem nenhuma chave válida. As sessões dele aqui terminam.";
    return `${plural(live, { one: "# chave é recusada", other: "# chaves são recusadas" })} em 5 segundos, e as sessões dele aqui terminam.`;
  },
  suspendUncounted: "As chaves dele são recusadas em 5 segundos, e as sessões dele aqui terminam.",
  suspendEffect: "As mensagens já aceitas ainda são enviadas, e o que chega é mantido.",
  keepActive: "Manter ativo",
  resume: "Retomar",
  resuming: "Retomando",
  suspended: "Está suspenso: as chaves dele são recusadas até que seja retomado.",
};
