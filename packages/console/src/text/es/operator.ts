import type * as en from "../en/operator.ts";
import { figure, plural } from "./forms.ts";

export const system: typeof en.system = {
  title: "Sistema",
  lead: "Los procesos, su trabajo y la base de datos.",
  processes: "Procesos",
  process: { id: "Proceso", roles: "Funciones", version: "Versión", slots: "Ranuras", lease: "Reserva hasta" },
  queues: "Trabajo",
  queue: { kind: "Tipo", rows: "Filas", owned: "Ranuras con proceso", oldest: "Lo más antiguo, desde" },
  kinds: {
    dispatch: "Envío",
    deliver: "Webhooks",
    redeliver: "Webhooks de nuevo",
    ingest: "Callbacks",
    task: "Tareas",
    fetch: "Archivos",
  },
  owned: (owned, all) => `${figure(owned)} de ${figure(all)}`,
  nothing: "Nada en espera",
  still: "Hay trabajo sin proceso: inicia uno con las funciones que faltan.",
  pending: (names) => `Faltan migraciones: ${names}. Ejecuta waypost migrate.`,
  facts: "Base de datos",
  version: "Versión del gateway",
  server: "PostgreSQL",
  size: "Tamaño",
  migrations: "Migraciones",
  latest: "Última migración",
};

export const quarantine: typeof en.quarantine = {
  title: "Cuarentena",
  lead: "Lo que llegó en callbacks y no se pudo procesar. Nada se pierde: se puede volver a procesar.",
  columns: {
    reason: "Motivo",
    about: "Número o cuenta",
    replays: "Reintentos fallidos",
    next: "Próximo intento",
    created: "Desde",
  },
  replay: "Volver a procesar",
  replayNamed: (id) => `Volver a procesar ${id}`,
  replaying: "Procesando",
  replayAll: "Volver a procesar todo lo de este motivo",
  replayAllAsk: (reason) => `¿Volver a procesar todo lo que espera por “${reason}”?`,
  replayAllEffect: "Vuelve a la cola en su orden. Lo que aún no se pueda procesar regresa aquí.",
  replayed: (count, isMore) =>
    `${plural(count, { one: "Se vuelve a procesar #", other: "Se vuelven a procesar #" })}${isMore ? "; hay más" : ""}.`,
  filters: { reason: "Motivo" },
  empty: "No hay nada en cuarentena",
  emptyHelp: "Todo lo que dijo el proveedor se entendió y tenía destinatario.",
  none: "Nada espera por este motivo",
};
