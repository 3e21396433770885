import type * as en from "../en/keys.ts";

export const keys: typeof en.keys = {
  go: "Ir a",
  paletteKeys: "Ctrl K o ⌘ K",
  palette: "Ir a una página, un ID o un número",
  placeholder: "Página, ID o número de teléfono",
  places: "Lugares",
  help: "Atajos de teclado",
  filter: "Buscar en la lista",
  next: "Fila siguiente",
  previous: "Fila anterior",
  refresh: "Actualizar",
  single: "Atajos de una sola tecla",
  close: "Cerrar",
};
