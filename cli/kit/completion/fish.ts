import type { CompletedCommand } from './model.ts';

/** The completion script for fish. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.flatMap(({ words, subcommands }) =>
    subcommands.map(({ name }) => quoted(`${words} ${name}`)),
  );
  return `# Completion of millrace for fish, written by \`millrace completion fish\`.
function __millrace_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ''
    for word in $words
        if contains -- "$command $word" ${paths.join(' ')}
            set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv[1]"
end
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ words, subcommands, options, values }: CompletedCommand): readonly string[] {
  const when = `complete -c millrace -n ${quoted(`__millrace_at ${quoted(words)}`)}`;
  return [
    ...subcommands.map(({ name, summary }) => `${when} -f -a ${name} -d ${quoted(summary)}`),
    ...(values.length === 0 ? [] : [`${when} -f -a ${quoted(values.join(' '))}`]),
    ...options.map(({ names, summary, takesValue, values: words_ }) => {
      const flags = names.map((name) =>
        name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      const value = takesValue ? (words_.length === 0 ? ' -r' : ` -x -a ${quoted(words_.join(' '))}`) : '';
      return `${when} ${flags.join(' ')}${value} -d ${quoted(summary)}`;
    }),
  ];
}

/** A text in single quotes, in which fish knows two escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
