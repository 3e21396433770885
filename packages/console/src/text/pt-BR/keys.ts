import type * as en from "../en/keys.ts";

export const keys: typeof en.keys = {
  go: "Ir para",
  paletteKeys: "Ctrl K ou ⌘ K",
  palette: "Ir para uma página, um ID ou um número",
  placeholder: "Página, ID ou número de telefone",
  places: "Lugares",
  help: "Atalhos de teclado",
  filter: "Buscar na lista",
  next: "Próxima linha",
  previous: "Linha anterior",
  refresh: "Atualizar",
  single: "Atalhos de uma só tecla",
  close: "Fechar",
};
