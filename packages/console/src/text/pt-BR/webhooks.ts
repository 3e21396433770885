import type * as en from "../en/webhooks.ts";
import { figure, plural } from "./forms.ts";

export const endpoints: typeof en.endpoints = {
  title: "Webhooks",
  lead: "Para onde os eventos são enviados, na hora em que acontecem.",
  columns: {
    status: "Status",
    url: "Endereço",
    events: "Eventos",
    day: "Últimas 24 horas",
    p95: "95% em até",
    next: "Próxima tentativa",
    changed: "Alterado",
  },
  day: (succeeded, failed) =>
    succeeded + failed === 0
      ? "Nenhuma tentativa em 24 horas"
      : `Em 24 horas: ${plural(succeeded, { one: "# bem-sucedida", other: "# bem-sucedidas" })} e ${figure(failed)} com falha`,
  allEvents: "Todos os eventos",
  count: (events) => plural(events, { one: "# tipo", other: "# tipos" }),
  provider: "Formato do provedor",
  create: "Novo endpoint",
  creating: "Criando",
  empty: "Ainda não há endpoints",
  emptyHelp:
    "Um endpoint é um endereço seu que recebe um POST a cada evento. Crie um, com o segredo que serve para verificá-los.",
  created: "O segredo do endpoint",
  createdHelp: "As entregas são assinadas com ele. Ele aparece só desta vez: guarde-o onde seu receptor o lê.",

  form: {
    url: "Endereço",
    urlHelp: "Um endereço https que responda com 2xx. No computador de desenvolvimento, http em loopback também serve.",
    urlExample: "https://example.com/hooks",
    description: "Descrição",
    format: "Formato",
    formats: { waypost: "Eventos do Waypost", provider: "Callbacks do provedor" },
    formatHelp: "O do provedor: para um receptor que já lê os callbacks dele. Não pode ser alterado depois.",
    events: "Eventos",
    all: "Todos os eventos, e os de versões futuras",
    allHelp: "Responda com 2xx aos tipos que você não conhece.",
    groups: {
      messages: "Mensagens",
      statuses: "Status das mensagens",
      contacts: "Contatos",
      templates: "Modelos",
      accounts: "Contas e números",
      threads: "Outros programas que respondem",
      operations: "Endpoints",
    },
    fields: "Campos dos callbacks",
    fieldGroups: { people: "Entre números e pessoas", accounts: "Contas e números", templates: "Modelos" },
    verifyToken: "Token de verificação",
    verifyTokenHelp: "Com um, o endereço é verificado como o provedor faz, agora e sempre que mudar.",
    secret: "Seu próprio segredo",
    secretHelp: "O segredo do app que seu receptor já tem. Sem um, outro é criado.",
    ordered: "Manter a ordem de cada conversa",
    orderedHelp: "Uma entrega que falha retém as seguintes da mesma conversa.",
    enabled: "Ativado",
    enabledHelp: "Enquanto está desativado, as entregas esperam por até 30 dias.",
    numbers: "Só estes números",
    numbersHelp: "Sem escolha, todos. Com uma, os eventos de contatos e de endpoints não chegam.",
    accounts: "Só estas contas",
    removedHeaders: "Cabeçalhos a remover",
    headers: "Cabeçalhos próprios",
    headersHelp:
      "Um por linha, como Authorization: Bearer …. Os valores são armazenados criptografados e não aparecem mais.",
    timeout: "Tempo para responder, em segundos",
    timeoutHelp: "De 5 a 30; 15 se nada for informado.",
    rate: "Máximo de tentativas por segundo",
    rateHelp: "De 1 a 1.000; sem limite se nada for informado.",
  },
};

export const endpoint: typeof en.endpoint = {
  enable: "Ativar",
  enabling: "Ativando",
  tabs: { label: "Partes do endpoint", deliveries: "Entregas", settings: "Configurações", replays: "Enviar de novo" },
  notFound: "Este endpoint não existe",
  notFoundHelp: "É de outro espaço de trabalho, foi excluído ou nunca existiu.",
  reasons: {
    requested: "Desativado a pedido; as entregas esperam até que seja ativado.",
    gone: "Desativado porque respondeu 410. Ative-o quando voltar a receber entregas.",
    failing: "Desativado porque todas as tentativas de 5 dias falharam. Ative-o quando voltar a receber entregas.",
  },
  test: "Enviar um evento de teste",
  testing: "Enviando",
  edit: "Editar",
  save: "Salvar",
  saving: "Salvando",
  yes: "Sim",
  no: "Não",
  limits: "Limitado a",
  noRate: "Sem limite",
  rotate: "Trocar o segredo",
  rotateNow: "Criar um novo segredo",
  rotating: "Criando",
  rotateHelp: "As entregas levam uma assinatura do novo segredo e outra do atual, até que o atual deixe de valer.",
  overlap: "O atual deixa de valer",
  overlaps: { none: "Na hora", hour: "Em uma hora", day: "Em um dia", week: "Em uma semana" },
  older: "Segredos anteriores",
  noOlder: "Nenhum assina mais",
  olderEnds: (until, left) => `até ${until}, por mais ${left}`,
  rotated: "O novo segredo",
  rotatedHelp: (until) =>
    `Ele aparece só desta vez: guarde-o onde seu receptor o lê. O anterior também assina até ${until}.`,
  remove: "Excluir",
  removing: "Excluindo",
  removeAsk: (url) => `Excluir ${url}?`,
  removeEffect: (waiting, isMore) =>
    waiting === null
      ? "As entregas em espera são descartadas."
      : waiting === 0
        ? "Não há entregas em espera. Ele não recebe mais eventos."
        : isMore
          ? `${figure(waiting)} ou mais entregas em espera são descartadas.`
          : plural(waiting, {
              one: "# entrega em espera é descartada.",
              other: "# entregas em espera são descartadas.",
            }),
};

export const deliveries: typeof en.deliveries = {
  title: "Entregas",
  all: "Todas as entregas",
  lead: "O que foi enviado a todos os endpoints, do mais recente ao mais antigo.",
  status: "Status",
  kind: "Evento",
  tries: "Tentativas",
  count: (attempts) => plural(attempts, { one: "# tentativa", other: "# tentativas" }),
  next: "Próxima tentativa",
  time: "Horário",
  message: "Mensagem",
  contact: "Contato",
  endpoint: "Endpoint",
  find: "Buscar por ID",
  none: "Nenhuma entrega corresponde a estes filtros",
  empty: "Ainda não há entregas",
  emptyHelp: "Cada evento que o endpoint escuta se torna uma. Envie um evento de teste para ver a primeira.",
  ofMessage: "Todas as entregas desta mensagem",
  emptyOfAll: "Cada evento que um endpoint escuta se torna uma.",
};

export const delivery: typeof en.delivery = {
  title: (kind) => `Entrega de “${kind}”`,
  notFound: "Esta entrega não existe",
  notFoundHelp: "É de outro espaço de trabalho, não é mais mantida ou nunca existiu.",
  retry: "Tentar de novo agora",
  retrying: "Tentando",
  endpoint: "Endpoint",
  event: "ID do evento",
  message: "Mensagem",
  completed: "Encerrada",
  next: "Próxima tentativa",
  attempts: "Tentativas",
  noAttempts: "Nenhuma tentativa ainda.",
  attempt: (n) => `Tentativa ${figure(n)}`,
  code: (status) => `Código ${status}`,
  answer: "O que o receptor respondeu",
  noAnswer: "Nada, ou nada que possa ser exibido.",
  request: "O que foi enviado",
  headers: "Cabeçalhos",
  hidden: "(oculto)",
  body: "Corpo",
  noBody: "O evento não é mais mantido.",
  curl: "Copiar esta solicitação como curl",
  facts: "Dados",
  verify: "Como verificar uma entrega",
  verifyHelp:
    "Aceite só o que foi assinado com o segredo do endpoint nos últimos 5 minutos, sobre os bytes do corpo como chegaram.",
  languages: "Linguagens",
};

export const replay: typeof en.replay = {
  title: "Enviar eventos de novo",
  lead: "Os eventos de um período são contados primeiro, e enviados quando você confirma. Cada um leva o ID que tinha e o cabeçalho X-Service-Replay.",
  after: "De",
  afterHelp: "Os eventos são mantidos por 30 dias.",
  before: "Até",
  beforeHelp: "Até agora, se nada for informado.",
  which: "Quais",
  only: {
    failed: "Entregas que falharam",
    missing: "Eventos que o endpoint nunca recebeu",
    all: "Ambos, e também as entregas bem-sucedidas",
  },
  events: "Eventos",
  eventsHelp: "Sem escolha, todos os que o endpoint escuta.",
  count: "Contar",
  counting: "Contando",
  countingSoFar: (matched) => `Contando: ${figure(matched)} até agora`,
  found: (matched) =>
    matched === 0
      ? "Nenhum evento corresponde"
      : plural(matched, { one: "# evento corresponde", other: "# eventos correspondem" }),
  start: (matched) => (matched === 1 ? "Enviar de novo" : `Enviar ${figure(matched)} de novo`),
  starting: "Iniciando",
  progress: ({ matched, scheduled, succeeded, failed }) =>
    `Encontrados: ${figure(matched)}; agendados: ${figure(scheduled)}; bem-sucedidos: ${figure(succeeded)}; com falha: ${figure(failed)}`,
  since: "Iniciado",
  another: "Outro reenvio",
  notFound: "Este reenvio não existe",
};

export const events: typeof en.events = {
  title: "Eventos",
  lead: "O que acontece no espaço de trabalho, o mais recente no topo; os últimos 500 ficam aqui.",
  columns: { kind: "Evento", about: "Sobre", time: "Horário" },
  pause: "Pausar",
  resume: "Continuar",
  pauseHelp: "Espaço",
  fresh: (count) => plural(count, { one: "# novo", other: "# novos" }),
  kinds: "Tipos",
  all: "Todos",
  find: "ID de uma mensagem ou contato",
  filters: {
    message_id: "Mensagem",
    contact_id: "Contato",
    since: "Desde",
    until: "Até",
    kind: "Evento",
    number: "Número",
  },
  empty: "Nada aconteceu ainda",
  emptyHelp: "Envie uma mensagem, ou responda a uma por um celular: ela aparece aqui na hora.",
  none: "Nenhum evento corresponde a estes filtros",
  noneHelp: "O que acontecer a partir de agora aparece aqui na hora.",
  sinceLead:
    "O que aconteceu desde um momento, o mais antigo primeiro. Remova o filtro de tempo para acompanhar o que acontece agora.",
  sinceNone: "Nada desse tipo aconteceu nesse período, ou não é mais mantido. Remova um dos filtros.",
  later: "Mostrar as seguintes",
  toMessage: "Ir para a mensagem",
  body: "O evento como é enviado",
};
