import path from 'node:path';
import { closestWord } from '../../lib/core/closest-word.ts';
import type { TestProject } from './test-project.ts';

/** What is wrong with the name of a file that is not there, as a file of the project writes it. */
export function explainMissing(file: string, { paths }: Pick<TestProject, 'paths'>) {
  const folder = path.posix.dirname(file);
  return (name: string): string => {
    const target = path.posix.join(folder, name);
    if (target.startsWith('../')) return `the file "${name}" is outside of the project`;
    const others = paths.filter((other) => path.posix.extname(other) === path.posix.extname(name));
    const sameName = others.find((other) => path.posix.basename(other) === path.posix.basename(name));
    const meant = sameName ?? closestWord(target, others);
    const hint = meant === undefined ? '' : `; did you mean "${path.posix.relative(folder, meant)}"?`;
    return `the file "${target}" does not exist in the project${hint}`;
  };
}
