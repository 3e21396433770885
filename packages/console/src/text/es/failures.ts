import type * as en from "../en/failures.ts";

export const failures: typeof en.failures = {
  title: "Errores",
  lead: "Mensajes fallidos o expirados, por motivo. Cada fila lleva a sus mensajes.",
  columns: {
    code: "Error",
    count: "Mensajes",
    share: "Porcentaje",
    bars: "A lo largo del tiempo",
    meaning: "Significado",
  },
  none: "Sin código",
  meaning: "Qué significa",
  total: (count) => `${count} mensajes fallidos o expirados`,
  one: "1 mensaje fallido o expirado",
  over: (counts) => `En cada intervalo: ${counts}`,
  empty: "No hubo errores",
  emptyHelp: "Ningún mensaje falló ni expiró en este período.",
};
