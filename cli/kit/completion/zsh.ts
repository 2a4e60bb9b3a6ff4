import type { CompletedCommand } from './model.ts';

/** The completion script for zsh: a file `_millrace` in a folder of fpath, or text for `eval`. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef millrace
# Completion of millrace for zsh, written by \`millrace completion zsh\`.
_millrace() {
  local command='' word current="$words[CURRENT]" before="$words[CURRENT-1]"
  local -a list
  for word in \${words[2,CURRENT-1]}; do
    case "$command $word" in
${commands
  .flatMap(({ words, subcommands }) =>
    subcommands.map(
      ({ name }) => `      '${words} ${name}') command='${words === '' ? name : `${words} ${name}`}' ;;`,
    ),
  )
  .join('\n')}
      *' --') _files; return ;;
    esac
  done
  case "$command:$before" in
${commands
  .flatMap(({ words, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names, values }) =>
        names.map((name) =>
          values.length === 0
            ? `    '${words}:${name}') _files; return ;;`
            : `    '${words}:${name}') compadd -- ${values.join(' ')}; return ;;`,
        ),
      ),
  )
  .join('\n')}
  esac
  case "$command:$current" in
${commands.map(optionLines).join('\n')}
${commands.map(argumentLines).join('')}    *) _files ;;
  esac
}
if [ "$funcstack[1]" = "_millrace" ]; then
  _millrace "$@"
else
  compdef _millrace millrace
fi
`;
}

function optionLines({ words, options }: CompletedCommand): string {
  const list = options.flatMap(({ names, summary }) =>
    names.filter((name) => name.startsWith('--')).map((name) => described(name, summary)),
  );
  return `    '${words}':-*) list=(${list.join(' ')}); _describe option list ;;`;
}

function argumentLines({ words, subcommands, values }: CompletedCommand): string {
  if (subcommands.length > 0) {
    const list = subcommands.map(({ name, summary }) => described(name, summary));
    return `    '${words}':*) list=(${list.join(' ')}); _describe command list ;;\n`;
  }
  return values.length === 0 ? '' : `    '${words}':*) compadd -- ${values.join(' ')} ;;\n`;
}

/** A word and its description, as \`_describe\` reads them. */
function described(name: string, summary: string): string {
  return `'${name}:${summary.replaceAll("'", `'\\''`).replaceAll(':', String.raw`\:`)}'`;
}
