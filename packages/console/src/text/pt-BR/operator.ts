import type * as en from "../en/operator.ts";
import { figure, plural } from "./forms.ts";

export const system: typeof en.system = {
  title: "Sistema",
  lead: "Os processos, o trabalho deles e o banco de dados.",
  processes: "Processos",
  process: { id: "Processo", roles: "Funções", version: "Versão", slots: "Partes", lease: "Reserva até" },
  queues: "Trabalho",
  queue: { kind: "Tipo", rows: "Linhas", owned: "Partes com processo", oldest: "Mais antigo desde" },
  kinds: {
    dispatch: "Envio",
    deliver: "Webhooks",
    redeliver: "Webhooks de novo",
    ingest: "Callbacks",
    task: "Tarefas",
    fetch: "Arquivos",
  },
  owned: (owned, all) => `${figure(owned)} de ${figure(all)}`,
  nothing: "Nada em espera",
  still: "Há trabalho sem processo: inicie um com as funções que faltam.",
  pending: (names) => `Faltam migrações: ${names}. Execute waypost migrate.`,
  facts: "Banco de dados",
  version: "Versão do gateway",
  server: "PostgreSQL",
  size: "Tamanho",
  migrations: "Migrações",
  latest: "Última migração",
};

export const quarantine: typeof en.quarantine = {
  title: "Quarentena",
  lead: "O que veio em callbacks e não pôde ser processado. Nada se perde: pode ser processado de novo.",
  columns: {
    reason: "Motivo",
    about: "Número ou conta",
    replays: "Novas tentativas com falha",
    next: "Próxima tentativa",
    created: "Desde",
  },
  replay: "Processar de novo",
  replayNamed: (id) => `Processar ${id} de novo`,
  replaying: "Processando",
  replayAll: "Processar de novo tudo deste motivo",
  replayAllAsk: (reason) => `Processar de novo tudo o que espera por “${reason}”?`,
  replayAllEffect: "Tudo volta para a fila na ordem. O que ainda não puder ser processado volta para cá.",
  replayed: (count, isMore) =>
    `${plural(count, { one: "# é processado", other: "# são processados" })} de novo${isMore ? "; há mais" : ""}.`,
  filters: { reason: "Motivo" },
  empty: "Não há nada em quarentena",
  emptyHelp: "Tudo o que o provedor disse foi entendido e tinha destinatário.",
  none: "Nada espera por este motivo",
};
