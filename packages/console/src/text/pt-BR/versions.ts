import type * as en from "../en/versions.ts";

export const versions: typeof en.versions = {
  label: "As duas versões",
  changed: "Outra pessoa ou programa alterou isto nesse meio-tempo. O que você preencheu continua aqui.",
  reading: "Lendo a versão atual",
  field: "Campo",
  theirs: "A outra, agora",
  mine: "A sua",
  untouched: "Você não o alterou: fica a outra versão",
  same: "Nenhum campo daqui difere da versão atual.",
  nothing: "–",
  yes: "Sim",
  no: "Não",
  take: "Usar a outra",
  keep: "Manter a minha e salvar",
};
