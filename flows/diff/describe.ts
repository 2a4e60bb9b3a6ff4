import type { FileProblem } from '../../engine/index.ts';

/** A problem in one line: the first line of a message has what is wrong, the others how to fix it. */
export function describe({ file, line, column, message }: FileProblem): string {
  const [first = ''] = message.split('\n');
  return `${file}:${line}:${column} ${first.replace(/:$/u, '')}`;
}
