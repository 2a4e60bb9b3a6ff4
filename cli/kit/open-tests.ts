import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { TestProject } from '../../flows/test/test-project.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Session } from './session.ts';

/** The project of the session's folder, as it is on disk. Throws Failure 'usage' for a folder that does not exist. */
export async function openTests({ directory, projectConfig }: Session): Promise<TestProject> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Failure('usage', {
      message: `The folder ${directory} does not exist.`,
      where: { input: '--working-directory' },
      hint: 'Give --working-directory a folder with pipelines.',
    });
  }
  const config = await projectConfig();
  const { openTestProject, sharedSourceOf } = await import('../../flows/test/test-project.ts');
  return openTestProject(await realpath(directory), config.engine.warehouse, sharedSourceOf(config));
}

/** The test files that names on the command line mean. Throws Failure 'usage' for a name that is neither a test nor a pipeline, and 'no-test'. */
export async function chooseTestFiles(
  session: Session,
  project: TestProject,
  names: readonly string[],
): Promise<readonly string[]> {
  const { chooseTests } = await import('../../flows/test/choose-tests.ts');
  return chooseTests({ names, cwd: session.here, folderOption: '--working-directory' }, project);
}
