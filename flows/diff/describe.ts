import type { FileProblem } from '../../engine/index.ts';

/**
 * Describes a problem in one line. The first line of a message says what is wrong; the other lines say how to fix
 * it.
 */
export function describe({ file, line, column, message }: FileProblem): string {
  const [first = ''] = message.split('\n');
  return `${file}:${line}:${column} ${first.replace(/:$/u, '')}`;
}
