import { quoteText } from '../../lib/yaml/quote-text.ts';
import { shellWord } from '../../lib/core/text/shell-word.ts';

/** The command line of `millrace` in a hook that reviews what is staged. */
export function hookCommand(directory: string): string {
  const folder = directory === '' ? '' : ` --working-directory=${shellWord(directory)}`;
  return `millrace review --local --staged --scope changed${folder}`;
}

/** The text of the git hook `pre-commit`. Git starts a hook in the top folder of the work tree. */
export function hookText(directory: string): string {
  const folders = ['', ...(directory === '' ? [] : [`/${directory}`])];
  const paths = folders.map(
    (folder) => `$PWD${folder.replaceAll(/["$\\`]/g, String.raw`\$&`)}/node_modules/.bin`,
  );
  return `#!/bin/sh
# Reviews the staged pipelines before each commit. \`git commit --no-verify\` leaves the review out.
PATH="${paths.join(':')}:$PATH"
if ! command -v millrace >/dev/null; then
  echo 'pre-commit: millrace is not installed, so nothing was reviewed. Install it, or commit with --no-verify.' >&2
  exit 1
fi
exec ${hookCommand(directory)}
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
