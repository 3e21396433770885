import type * as en from "../en/parts.ts";
import { figure, plural } from "./forms.ts";

export const filter: typeof en.filter = {
  noneHelp: "Quita alguno de los filtros.",
  all: "Mostrar todo",
  example: "O llama a la API:",
  add: "Filtro",
  label: "Filtros",
  count: (held) => `Filtros (${figure(held)})`,
  show: "Mostrar",
  clear: "Borrar filtros",
  remove: (name) => `Quitar el filtro ${name}`,
  apply: "Aplicar",
  find: "Buscar",
};

export const table: typeof en.table = {
  openPage: "Abrir su página",
  older: "Anteriores",
  newest: "Más recientes",
  pages: "Páginas de la lista",
  count: (rows) => plural(rows, { one: "# fila", other: "# filas" }),
};

export const copy: typeof en.copy = {
  copied: "Copiado",
  copy: (what) => `Copiar ${what}`,
  plain: "Copiar",
  failed: "El navegador no permitió copiar.",
};

export const json: typeof en.json = {
  fold: "Contraer",
  unfold: "Expandir",
  find: "Buscar un campo o valor",
  none: "Ningún campo ni valor lo contiene.",
};

export const problem: typeof en.problem = {
  title: "Esto no funcionó",
  connection: "El gateway no responde",
  connectionHelp: "Comprueba que está en marcha y que este equipo puede acceder a él.",
  again: "Reintentar",
  request: "ID de solicitud",
  forbidden: (scope) => `A tu clave le falta el permiso ${scope}.`,
  forbiddenHelp: "Inicia sesión con una clave que lo tenga, o pide una.",
  changed: "Otra persona o programa lo cambió mientras tanto. Mira cómo está ahora e inténtalo de nuevo.",
  waits: (seconds) => `Inténtalo de nuevo en ${figure(seconds)} s`,
  page: "Esta página no existe",
  pageHelp: "La dirección es incorrecta o la página se movió.",
  toHome: "Ir al inicio",
  open: "Abrir lo que ya existe",
  provider: "Lo que dice el proveedor",
};

export const phone: typeof en.phone = {
  image: "Imagen",
  video: "Video",
  audio: "Audio",
  document: "Documento",
  sticker: "Sticker",
  location: "Ubicación",
  contacts: "Tarjeta de contacto",
  unsupported: "Este tipo de mensaje no se muestra aquí.",
  more: "Ver todas las opciones",
  copyCode: "Copiar código",
  reacted: (emoji) => `Reaccionó con ${emoji}`,
  offer: "Oferta por tiempo limitado",
  label: "El mensaje como lo ve la persona",
};

export const dialog: typeof en.dialog = {
  close: "Cerrar",
  keep: "Dejar como está",
  leave: "¿Salir sin guardar?",
  leaveEffect: "Se pierde lo que ingresaste aquí.",
  stay: "Quedarse",
  discard: "Salir",
  type: (what) => `Escribe ${what} para continuar`,
  copySecret: "Copiar el secreto",
  stored: "Ya lo guardé",
};

export const form: typeof en.form = {
  optional: "(opcional)",
  missing: "Completa este campo.",
  cancel: "Cancelar",
};
