import type { CompletedCommand } from './model.ts';

/** The completion script for bash. Where it has no words to offer, bash completes file names. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# Completion of millrace for bash, written by \`millrace completion bash\`.
_millrace() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before='' command='' list='' index
  ((COMP_CWORD > 0)) && before="\${COMP_WORDS[COMP_CWORD-1]}"
  # bash takes --option=value apart into three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]] && ((COMP_CWORD > 1)); then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command \${COMP_WORDS[index]}" in
${subcommandLines(commands)}
    *' --') COMPREPLY=(); return ;;
    esac
  done
  case "$command:$before" in
${valueLines(commands)}
  esac
  if [[ -z $list ]]; then
    case "$command:$current" in
${optionLines(commands)}
${argumentLines(commands)}
    esac
  fi
  # Without mapfile, which bash 3.2 lacks. No word has a space or a star.
  COMPREPLY=($(compgen -W "$list" -- "$current"))
}
complete -o bashdefault -o default -F _millrace millrace
`;
}

/** From a command and the next word to the command of both. */
function subcommandLines(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ words, subcommands }) =>
      subcommands.map(
        ({ name }) => `    '${words} ${name}') command='${words === '' ? name : `${words} ${name}`}' ;;`,
      ),
    )
    .join('\n');
}

function valueLines(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ words, options }) =>
      options.flatMap(({ names, takesValue, values }) =>
        takesValue
          ? names.map((name) =>
              values.length === 0
                ? `  '${words}:${name}') COMPREPLY=(); return ;;`
                : `  '${words}:${name}') list='${values.join(' ')}' ;;`,
            )
          : [],
      ),
    )
    .join('\n');
}

function optionLines(commands: readonly CompletedCommand[]): string {
  return commands
    .map(({ words, options }) => {
      const names = options.flatMap((option) => option.names.filter((name) => name.startsWith('--')));
      return `    '${words}':-*) list='${names.join(' ')}' ;;`;
    })
    .join('\n');
}

/** Words that are not options: subcommands, and arguments with known values. */
function argumentLines(commands: readonly CompletedCommand[]): string {
  return commands
    .flatMap(({ words, subcommands, values }) => {
      const list = [...subcommands.map(({ name }) => name), ...values];
      return list.length === 0 ? [] : [`    '${words}':*) list='${list.join(' ')}' ;;`];
    })
    .join('\n');
}
