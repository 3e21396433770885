import type { Flag, Place } from "./words.ts";

/** One case a place: the words that can follow, and the values of each flag. */
function cases(places: readonly Place[], write: (place: Place) => string): string {
  return places.map((place) => `    ${quote(place.path)}) ${write(place)} ;;`).join("\n");
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const wordsOf = ({ commands, flags }: Place): string =>
  [...commands.map(({ name }) => name), ...flags.map(({ name }) => name)].join(" ");

const withValue = (places: readonly Place[]): { path: string; flag: Flag }[] =>
  places.flatMap(({ path, flags }) => flags.filter(({ hasValue }) => hasValue).map((flag) => ({ path, flag })));

/** Flags whose next word is no command. They mean the same wherever they stand. */
const valueFlags = (places: readonly Place[]): string =>
  [...new Set(withValue(places).map(({ flag }) => flag.name))].toSorted().join("|");

const groupsOf = (places: readonly Place[]): string =>
  places
    .filter(({ path, commands }) => path === "" || commands.length > 0)
    .map(({ path }) => quote(path))
    .join("|");

function valueCases(places: readonly Place[]): string {
  return withValue(places)
    .filter(({ flag }) => flag.values.length > 0 || flag.takesFile)
    .map(
      ({ path, flag }) =>
        `    ${quote(`${path} ${flag.name}`.trim())}) ${flag.takesFile ? "files=yes" : `offers=${quote(flag.values.join(" "))}`} ;;`,
    )
    .join("\n");
}

/** What is the same in bash and zsh: from the words before the cursor to `offers` and `files`. */
function lookUp(places: readonly Place[]): string {
  return `  local place="" before="" word="" skip="" offers="" files=""
  for word in "$@"; do
    if [ -n "$skip" ]; then skip=""; continue; fi
    case "$word" in
      ${valueFlags(places)}) skip=yes ;;
      -*) ;;
      *)
        case "$place" in
          ${groupsOf(places)}) if [ -z "$place" ]; then place="$word"; else place="$place $word"; fi ;;
        esac ;;
    esac
  done
  if [ -n "$skip" ]; then
    for before in "$@"; do :; done
    [ -n "$place" ] && before="$place $before"
    case "$before" in
${valueCases(places)}
    esac
  else
    case "$place" in
${cases(places, (place) => `offers=${quote(wordsOf(place))}${place.takesFile ? "; files=yes" : ""}`)}
    esac
  fi`;
}

export function bashScript(places: readonly Place[]): string {
  return `# Completion of waypost for bash: source <(waypost completion bash)
_waypost_words() {
${lookUp(places)}
  local current="\${COMP_WORDS[COMP_CWORD]}" found
  COMPREPLY=()
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -W "$offers" -- "$current")
  if [ -n "$files" ]; then
    while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "$current")
    type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
  fi
  return 0
}
_waypost() { _waypost_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; }
complete -F _waypost waypost
`;
}

export function zshScript(places: readonly Place[]): string {
  return `#compdef waypost
# Completion of waypost for zsh: source <(waypost completion zsh)
_waypost_words() {
${lookUp(places)}
  [ -n "$offers" ] && compadd -- \${=offers}
  [ -n "$files" ] && _files
  return 0
}
_waypost() { _waypost_words "\${(@)words[2,CURRENT-1]}"; }
compdef _waypost waypost
`;
}

export function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const at = `-n ${quote(`__waypost_at ${place.path}`.trim())}`;
    const files = place.takesFile ? [`complete -c waypost ${at} -F`] : [];
    const commands = place.commands.map(({ name, does }) => `complete -c waypost ${at} -a ${name} -d ${quote(does)}`);
    const flags = place.flags.map((flag) => {
      const values =
        flag.values.length > 0 ? ` -x -a ${quote(flag.values.join(" "))}` : flag.takesFile ? " -r -F" : " -x";
      return `complete -c waypost ${at} -l ${flag.name.slice(2)}${flag.hasValue ? values : ""} -d ${quote(flag.does)}`;
    });
    return [...files, ...commands, ...flags];
  });
  const groups = places.filter(({ path, commands }) => path !== "" && commands.length > 0).map(({ path }) => path);
  return `# Completion of waypost for fish: waypost completion fish | source
function __waypost_at
    set -l words
    set -l skip ""
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip ""
            continue
        end
        switch $word
            case ${valueFlags(places).replaceAll("|", " ")}
                set skip yes
            case '-*'
            case '*'
                if test (count $words) -eq 0; or contains -- "$words" ${groups.map(quote).join(" ")}
                    set -a words $word
                end
        end
    end
    test "$words" = "$argv"
end
complete -c waypost -f
${lines.join("\n")}
`;
}
