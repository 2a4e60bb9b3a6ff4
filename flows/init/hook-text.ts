import { quoteText } from '../../lib/yaml/quote-text.ts';
import { shellWord } from '../../lib/core/text/shell-word.ts';

/** The command line of `millrace` in a hook that reviews what is staged. */
export function hookCommand(directory: string): string {
  return `millrace review --local --staged --scope changed${folderOption(directory)}`;
}

/** The arguments of `millrace` in a hook that looks for calls and tables that the staged change breaks. */
export function compileCommand(directory: string): string {
  return `millrace compile --staged${folderOption(directory)}`;
}

function folderOption(directory: string): string {
  return directory === '' ? '' : ` --working-directory=${shellWord(directory)}`;
}

/** The text of the git hook `pre-commit`. Git starts a hook in the top folder of the work tree. */
export function hookText(directory: string): string {
  const folders = ['', ...(directory === '' ? [] : [`/${directory}`])];
  const paths = folders.map(
    (folder) => `$PWD${folder.replaceAll(/["$\\`]/g, String.raw`\$&`)}/node_modules/.bin`,
  );
  return `#!/bin/sh
# Reviews the staged pipelines before each commit, and finds calls and tables that they break. With --columns, \`compile\` also finds columns.
# \`git commit --no-verify\` leaves both out.
PATH="${paths.join(':')}:$PATH"
if ! command -v millrace >/dev/null; then
  echo 'pre-commit: millrace is not installed, so nothing was reviewed. Install it, or commit with --no-verify.' >&2
  exit 1
fi
${hookCommand(directory)} || exit $?
exec ${compileCommand(directory)}
`;
}

/**
 * The entry in `.pre-commit-config.yaml` for users of pre-commit. `always_run`: pre-commit does not pass deleted
 * files on. `verbose`: otherwise it hides the output unless the hook fails.
 */
export function preCommitEntry(command: string): readonly string[] {
  return [
    '  - repo: local',
    '    hooks:',
    '      - id: millrace-review',
    '        name: millrace review',
    `        entry: ${quoteText(command)}`,
    '        language: system',
    '        pass_filenames: false',
    '        always_run: true',
    '        verbose: true',
  ];
}
