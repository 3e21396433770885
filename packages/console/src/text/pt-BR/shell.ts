import type * as en from "../en/shell.ts";
import { figure, plural } from "./forms.ts";

export const product: typeof en.product = "Waypost";
export const skip: typeof en.skip = "Ir para o conteúdo";
export const loading: typeof en.loading = "Carregando";

export const nav: typeof en.nav = {
  label: "Páginas",
  home: "Início",
  messages: "Mensagens",
  failures: "Falhas",
  conversations: "Conversas",
  chats: "Conversas",
  templates: "Modelos",
  contacts: "Contatos",
  segments: "Segmentos",
  endpoints: "Webhooks",
  events: "Eventos",
  numbers: "Números",
  activity: "Atividade",
  settings: "Configurações",
  quarantine: "Quarentena",
  audit: "Auditoria",
  system: "Sistema",
  workspaces: "Espaços de trabalho",
  reference: "Referência da API",
  phone: "Celular virtual",
  more: "Mais",
  narrow: "Recolher a barra",
  wide: "Expandir a barra",
};

export const header: typeof en.header = {
  signOut: "Sair",
  theme: { label: "Cores", system: "Como o sistema", light: "Claro", dark: "Escuro" },
  density: { label: "Linhas", comfortable: "Confortáveis", compact: "Compactas" },
  language: { label: "Idioma", browser: "Como o navegador" },
  zone: { label: "Horários", local: "Locais", utc: "UTC" },
  account: (name) => `Conectado com ${name}`,
  operator: "Operador",
  live: { on: "Ao vivo", polling: "A cada 10 s", off: "Sem conexão" },
  liveMeans: {
    on: "As mudanças aparecem na hora em que acontecem.",
    polling: "Não há conexão ao vivo; o que aparece é atualizado a cada 10 segundos.",
    off: "Este navegador está sem conexão. O que aparece pode estar desatualizado.",
  },
  ends: (span) => `Sua sessão termina em ${span}.`,
  extend: "Qualquer clique ou tecla a prolonga.",
  signInAgain: "Entre de novo para continuar.",
  offline: "Você está sem conexão. O que você vê foi carregado antes.",
};

export const signIn: typeof en.signIn = {
  title: "Entrar",
  key: "Chave",
  keyHelp: "Uma chave de API de um espaço de trabalho (wp_live_…), ou a chave do operador.",
  submit: "Entrar",
  busy: "Entrando",
  missing: "Informe uma chave.",
  where: "Onde consigo uma?",
  whereAnswers: [
    "npm start mostra um link que faz o login e uma chave de API.",
    "waypost console mostra outro link enquanto npm start está em execução.",
    "Nos demais casos, o operador cria uma com waypost key create.",
  ],
  kept: "A chave não fica armazenada neste navegador: ele recebe um cookie que scripts não conseguem ler.",
  ended: "Sua sessão terminou. Entre de novo.",
};

export const operatorBar: typeof en.operatorBar = {
  inside: (workspace) =>
    `Você é o operador e está no espaço de trabalho ${workspace}. O que você faz aqui fica no registro de auditoria dele.`,
  leave: "Sair",
};

export const tray: typeof en.tray = {
  title: "O que você iniciou",
  running: (works) => `${figure(works)} em andamento`,
  ended: (works) => plural(works, { one: "# concluída", other: "# concluídas" }),
  failed: (works) => plural(works, { one: "# falhou", other: "# falharam" }),
};
