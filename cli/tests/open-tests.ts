import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { TestProject, TestProjectOptions } from '../../flows/pipeline-tests/files/test-project.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';
import { settingsInIndex } from '../kit/read-settings.ts';
import type { Session } from '../kit/session.ts';

/**
 * The project of the session's folder, as it is on disk, with the pipelines and scripts that a sparse check-out leaves
 * out. Throws Failure 'usage' for a folder that does not exist.
 * @param parsed pipelines that were read before
 */
export async function openTests(
  {
    directory,
    projectConfig,
    io,
    output,
  }: Pick<Session, 'directory' | 'projectConfig' | 'io'> & {
    readonly output: Pick<Session['output'], 'logger'>;
  },
  parsed?: TestProjectOptions['parsed'],
): Promise<TestProject> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Failure('usage', {
      message: `The folder ${directory} does not exist.`,
      where: { input: '--working-directory' },
      hint: 'Give --working-directory a folder with pipelines.',
    });
  }
  const config = await projectConfig();
  const { openTestProject, projectOptions } =
    await import('../../flows/pipeline-tests/files/test-project.ts');
  const folder = await realpath(directory);
  const open = (otherProjects: readonly string[]) =>
    openTestProject(folder, config.engine.warehouse, { ...projectOptions(config), otherProjects, parsed });
  const onDisk = open([]);
  const { isOutsideFile } = await import('../../flows/pipeline-tests/outside/outside-files.ts');
  const isOutside = isOutsideFile(onDisk.outside);
  const { leftOutFiles } = await import('../../lib/git/work-tree/left-out-files.ts');
  const { contents, absent, projects, submodules } = await leftOutFiles(folder, {
    environment: io.env,
    signal: io.signal,
    accepts: (file) =>
      kindOf(file) !== undefined ||
      /\.(?:sql|py)$/.test(file) ||
      file === onDisk.sharedSource?.file ||
      isOutside(file),
    maxBytes: maxPipelineBytes,
  });
  if (absent.length > 0)
    output.logger.warn(
      `${numberOf(absent.length, 'pipeline or script', 'pipelines and scripts')} outside of the sparse check-out cannot be read, because this partial clone has not fetched them. A test that needs one fails: add its folder with \`git sparse-checkout add\`.`,
    );
  if (submodules.length > 0)
    output.logger.warn(
      `${submodules.length === 1 ? 'The submodule' : 'The submodules'} ${submodules.map((name) => visibleText(name)).join(', ')} ${submodules.length === 1 ? 'is' : 'are'} not checked out, so pipelines and tests there are left out: run \`git submodule update --init\`.`,
    );
  const saved = projects.some((project) => onDisk.folders.includes(project)) ? open(projects) : onDisk;
  if (contents.size === 0) return saved;
  const { overlayProject } = await import('../../flows/pipeline-tests/files/overlay-project.ts');
  return overlayProject(saved, { contents });
}

/**
 * The test files that names on the command line mean. Without names, warns in a folder without `millrace.yaml` above projects.
 * Throws Failure 'usage' for a name that is neither a test nor a pipeline, and 'no-test'.
 */
export async function chooseTestFiles(
  session: Session,
  project: TestProject,
  names: readonly string[],
): Promise<readonly string[]> {
  const { chooseTests } = await import('../../flows/pipeline-tests/files/choose-tests.ts');
  const files = await chooseTests({ names, cwd: session.here, folderOption: '--working-directory' }, project);
  const [first] = project.otherProjects;
  if (names.length > 0 || first === undefined || existsSync(session.configFile)) return files;
  if ((await settingsInIndex(session.directory, 'millrace.yaml', session.io)) !== undefined) return files;
  const { describeNestedProjects } = await import('../../flows/project/nested-projects.ts');
  session.output.logger.warn(
    `${describeNestedProjects(project.otherProjects)} Their tests do not run. To test one project, give --working-directory ${first}.`,
  );
  return files;
}
