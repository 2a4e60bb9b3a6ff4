import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { Session } from '../kit/session.ts';
import { openBase } from './open-base.ts';
import { chooseTestFiles } from './open-tests.ts';

/** The line that a command prints if the change affects no test. */
export const noneAffected = 'No test is affected by the change.';

/** The test files that the arguments name; with `--affected`, only those that the change affects. */
export async function chosenFiles(
  session: Session,
  project: TestProject,
  { names, affected }: { readonly names: readonly string[]; readonly affected: string | undefined },
): Promise<readonly string[]> {
  const files = await chooseTestFiles(session, project, names);
  if (affected === undefined) return files;
  const { affectedTests } = await import('./affected-tests.ts');
  const base = await openBase(session, project, affected);
  return (await affectedTests(session, project, { files, base })).files;
}
