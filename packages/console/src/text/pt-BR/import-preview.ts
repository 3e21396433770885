import type * as en from "../en/import-preview.ts";
import { figure, plural } from "./forms.ts";

export const importPreview: typeof en.importPreview = {
  noText: "O arquivo não está em UTF-8. No Excel, salve-o como “CSV UTF-8”.",
  unreadable: "O navegador não consegue ler o arquivo. Escolha-o de novo.",
  rows: "Primeiras linhas",
  rowsHelp: "Durante a leitura, verifica-se se cada número existe no país.",
  line: "Linha",
  fault: "Recusada porque",
  ofColumn: (column, reason) => `${column}: ${reason}`,
  summary: "O que a importação faz",
  facts: {
    seen: "Linhas vistas",
    faulty: "Destas, recusadas",
    taken: "Colunas usadas",
    left: "Colunas deixadas de fora",
    consent: "Marketing",
  },
  seen: (rows, isAll) =>
    isAll
      ? plural(rows, { one: "#, a única", other: "#, que são todas" })
      : `As primeiras ${figure(rows)}; as demais são verificadas na leitura`,
  faulty: (rows) =>
    rows === 0
      ? "Nenhuma"
      : `${plural(rows, { one: "# linha, que aparece", other: "# linhas, que aparecem" })} depois em uma lista; as demais são usadas`,
  column: (name, field) => `${name} como ${field}`,
  noColumn: "Nenhuma",
  consent: "Uma célula preenchida é o que a pessoa diz agora: substitui o que já se sabe, inclusive um STOP anterior.",
  noConsent: "Nenhuma coluna informa isto: o que já se sabe permanece, e um novo contato fica sem informação.",
  noPhone: "O arquivo é recusado: nenhuma coluna é o número de telefone nem o ID de um contato.",
  twice: (one, other) => `O arquivo é recusado: ${one} e ${other} são o mesmo campo. Ignore uma das duas.`,
  faults: {
    plain: {
      missing: "está faltando",
      noPlus: "não começa com + e um código de país",
      zeros: "começa com 00 em vez de +",
      twoPlus: "tem mais de um +",
      zero: "nenhum código de país começa com 0",
      long: "é longo demais para um número",
      id: "não é o ID de um contato",
      twice: "aparece duas vezes, com dois valores",
      cells: "a linha não tem tantas células quantas são as colunas",
      number: "não é um número",
      boolean: "não é true nem false",
      json: 'não é um objeto JSON como {"city":"Recife"}',
    },
    sign: (sign) => `tem ${sign}, que nenhum número tem`,
    digits: (digits) => `tem ${plural(digits, { one: "# dígito", other: "# dígitos" })}, e um número tem de 8 a 15`,
    name: (most) => `deve ser uma linha de no máximo ${figure(most)} caracteres`,
    email: (most) => `deve ser um e-mail de no máximo ${figure(most)} caracteres`,
    locale: "deve ser um idioma como pt_BR",
    tags: (most, characters) => `no máximo ${figure(most)} etiquetas de até ${figure(characters)} caracteres`,
    consent: "deve ser opted_in, opted_out ou unknown",
    attributes: (most, characters) =>
      `no máximo ${figure(most)} dados, cada um sendo um texto de até ${figure(characters)} caracteres, um número, ou true ou false`,
  },
};
