import { posix } from 'node:path';
import { problemAt } from '../../../engine/index.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { didYouMean } from '../../../lib/core/text/look-alike.ts';
import { type PlannedTest, planTests } from '../files/planned-test.ts';
import { readTestFile } from '../files/read-test-file.ts';
import type { TestProject } from '../files/test-project.ts';
import { engineMissing } from './open-test-warehouse.ts';

export interface PlanOptions {
  /** Only tests whose name contains this text, in any case. */
  readonly filter?: string | undefined;
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
}

/** Plans the tests of a file whose names contain a text. Throws FileProblems, and Failure 'engine-missing'. */
export async function planFile(
  path: string,
  project: TestProject,
  { filter = '', packages }: PlanOptions,
): Promise<readonly PlannedTest[]> {
  const unread = project.unread.get(path);
  if (unread !== undefined) {
    const { what, hint, isFolder } = unread;
    const message = isFolder
      ? `the folder has pipelines or tests, which are not read, because it is ${what}: ${hint}`
      : `the test file is ${what}: ${hint}`;
    throw problemAt({ file: path, line: 1, column: 1 }, message);
  }
  try {
    const beside = {
      findFile: project.beside(path),
      explainMissing: explainMissing(path, project),
      packages,
    };
    const file = await readTestFile(project.text(path) ?? '', path, beside);
    const accepts = nameFilter(filter);
    return planTests(file, project).filter(({ test }) => accepts(test.name));
  } catch (error) {
    throw engineMissing(error);
  }
}

/** Returns a function that tells whether a name contains a text, ignoring case. */
export function nameFilter(filter: string): (name: string) => boolean {
  const word = filter.normalize('NFC').toLowerCase();
  return (name) => name.normalize('NFC').toLowerCase().includes(word);
}

/** What is wrong with the name of a file that is not there, as a file of the project writes it. */
function explainMissing(file: string, { paths }: Pick<TestProject, 'paths'>) {
  const folder = posix.dirname(file);
  return (name: string): string => {
    const target = posix.join(folder, name);
    if (target.startsWith('../')) return `the file "${name}" is outside of the project`;
    const others = paths.filter((other) => posix.extname(other) === posix.extname(name));
    const sameName = others.find((other) => posix.basename(other) === posix.basename(name));
    const meant = sameName ?? closestWord(target, others);
    const hint = meant === undefined ? '' : `; ${didYouMean(name, posix.relative(folder, meant))}`;
    return `the file "${target}" does not exist in the project${hint}`;
  };
}
