import { shellWord } from '../../lib/core/text/shell-word.ts';

/** The command that waits for an existing execution, quoted for a shell. */
export function attachCommand(
  {
    pipeline,
    environment,
  }: { readonly pipeline?: string | undefined; readonly environment?: string | undefined },
  executionId: string,
): string {
  return [
    'millrace run',
    ...(pipeline === undefined ? [] : [shellWord(pipeline)]),
    ...(environment === undefined ? [] : ['--environment', shellWord(environment)]),
    `--attach ${executionId}`,
  ].join(' ');
}
