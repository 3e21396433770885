import type * as en from "../en/failures.ts";

export const failures: typeof en.failures = {
  title: "Falhas",
  lead: "Mensagens que falharam ou expiraram, por motivo. Cada linha leva às suas mensagens.",
  columns: { code: "Erro", count: "Mensagens", share: "Parcela", bars: "Ao longo do tempo", meaning: "Significado" },
  none: "Sem código",
  meaning: "O que significa",
  total: (count) => `${count} mensagens falharam ou expiraram`,
  one: "1 mensagem falhou ou expirou",
  over: (counts) => `Em cada intervalo: ${counts}`,
  empty: "Nada falhou",
  emptyHelp: "Nenhuma mensagem falhou ou expirou neste período.",
};
