import type * as en from "../en/parts.ts";
import { figure, plural } from "./forms.ts";

export const filter: typeof en.filter = {
  noneHelp: "Remova um dos filtros.",
  all: "Mostrar tudo",
  example: "Ou chame a API:",
  add: "Filtro",
  label: "Filtros",
  count: (held) => `Filtros (${figure(held)})`,
  show: "Mostrar",
  clear: "Limpar",
  remove: (name) => `Remover o filtro ${name}`,
  apply: "Aplicar",
  find: "Buscar",
};

export const table: typeof en.table = {
  openPage: "Abrir a página",
  older: "Anteriores",
  newest: "Mais recentes",
  pages: "Páginas da lista",
  count: (rows) => plural(rows, { one: "# linha", other: "# linhas" }),
};

export const copy: typeof en.copy = {
  copied: "Copiado",
  copy: (what) => `Copiar ${what}`,
  plain: "Copiar",
  failed: "O navegador não permitiu copiar.",
};

export const json: typeof en.json = {
  fold: "Recolher",
  unfold: "Expandir",
  find: "Buscar um campo ou valor",
  none: "Nenhum campo ou valor contém isso.",
};

export const problem: typeof en.problem = {
  title: "Isto não funcionou",
  connection: "O gateway não responde",
  connectionHelp: "Verifique se ele está em execução e se este computador consegue acessá-lo.",
  again: "Tentar de novo",
  request: "ID da solicitação",
  forbidden: (scope) => `Sua chave não tem a permissão ${scope}.`,
  forbiddenHelp: "Entre com uma chave que a tenha, ou peça uma.",
  changed: "Outra pessoa ou programa alterou isto nesse meio-tempo. Veja como está agora e tente de novo.",
  waits: (seconds) => `Tente de novo em ${figure(seconds)} s`,
  page: "Esta página não existe",
  pageHelp: "O endereço está errado ou a página foi movida.",
  toHome: "Ir para o início",
  open: "Abrir o que já existe",
  provider: "O que o provedor diz",
};

export const phone: typeof en.phone = {
  image: "Imagem",
  video: "Vídeo",
  audio: "Áudio",
  document: "Documento",
  sticker: "Figurinha",
  location: "Localização",
  contacts: "Cartão de contato",
  unsupported: "Este tipo de mensagem não é exibido aqui.",
  more: "Ver todas as opções",
  copyCode: "Copiar código",
  reacted: (emoji) => `Reagiu com ${emoji}`,
  offer: "Oferta por tempo limitado",
  label: "A mensagem como a pessoa vê",
};

export const dialog: typeof en.dialog = {
  close: "Fechar",
  keep: "Deixar como está",
  leave: "Sair sem salvar?",
  leaveEffect: "O que você preencheu aqui será perdido.",
  stay: "Ficar",
  discard: "Sair",
  type: (what) => `Digite ${what} para continuar`,
  copySecret: "Copiar o segredo",
  stored: "Já guardei",
};

export const form: typeof en.form = {
  optional: "(opcional)",
  missing: "Preencha este campo.",
  cancel: "Cancelar",
};
