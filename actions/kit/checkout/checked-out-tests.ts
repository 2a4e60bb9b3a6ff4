import path from 'node:path';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseTests, type TestChoice } from '../../../flows/pipeline-tests/files/choose-tests.ts';
import { isTestFile } from '../../../flows/pipeline-tests/files/find-tests.ts';
import { overlayProject } from '../../../flows/pipeline-tests/files/overlay-project.ts';
import {
  openTestProject,
  projectOptions,
  type TestProject,
} from '../../../flows/pipeline-tests/files/test-project.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { readPlainFile } from '../../../lib/core/files/read-plain-file.ts';
import { refuseSettingsElsewhereOnDisk } from '../../../lib/config/project/settings-elsewhere.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { leftOutFiles, type LeftOutFiles } from '../../../lib/git/work-tree/left-out-files.ts';
import { leftOutText } from '../../../lib/git/work-tree/left-out-text.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import { configName, defaultConfig } from './default-config.ts';
import { refuseNestedProjects } from './refuse-nested-projects.ts';
import { notFolder } from './project.ts';
import { repositoryFolder } from './repository-folder.ts';
import type { Step } from '../step/step.ts';
import { explainTestFailure } from './test-failures.ts';

/** The project as it is checked out, with the chosen test files. */
export interface CheckedOutTests {
  readonly project: TestProject;
  readonly files: readonly string[];
  readonly config: ProjectConfig;
  /** What makes a path of the project one of the repository. */
  readonly prefix: string;
}

/**
 * Opens the project of a folder of the workspace. Throws Failure 'usage' and 'no-test', and 'config-invalid' with the
 * file relative to the repository.
 */
export async function openCheckedOutTests(
  folder: string,
  names: readonly string[],
  step: Step,
): Promise<CheckedOutTests> {
  const { workspace } = step.facts;
  const directory = await projectFolder(folder, workspace);
  const repository = await realpath((await repositoryFolder(directory, workspace)) ?? workspace);
  const prefix = projectPrefix(repository, directory);
  const saved = await readConfig(directory, prefix, step);
  if (saved === undefined) refuseSettingsElsewhereOnDisk(repository, directory, 'working-directory');
  const config = saved ?? defaultConfig;
  const leftOut = await leftOutFiles(directory, {
    environment: step.environment,
    signal: step.context.signal,
    accepts: isTestFile,
    maxBytes: maxPipelineBytes,
  });
  const options = { ...projectOptions(config), otherProjects: leftOut.projects };
  const project = openTestProject(directory, config.engine.warehouse, options);
  refuseEmptyWorkspace(project);
  try {
    const choice = { names, cwd: directory, folderOption: 'working-directory:' };
    await refuseLeftOutTests(choice, project, leftOut);
    const files = await chooseTests(choice, project);
    // The named tests were chosen on purpose.
    if (saved === undefined && names.length === 0) refuseNestedProjects(project.otherProjects, 'test');
    return { project, prefix, files, config };
  } catch (error) {
    throw explainTestFailure(error, prefix, step);
  }
}

/**
 * Throws Failure 'usage' if a chosen test is outside of the sparse check-out: the other tests would pass for it. Who runs a
 * command knows their own check-out; nobody looks at the check-out of a workflow.
 */
async function refuseLeftOutTests(
  choice: TestChoice,
  project: TestProject,
  { contents, absent }: LeftOutFiles,
): Promise<void> {
  const leftOut = new Set([...contents.keys(), ...absent]);
  if (leftOut.size === 0) return;
  const all = new Map([...absent.map((file) => [file, Buffer.of()] as const), ...contents]);
  const chosen = await chooseTests(choice, overlayProject(project, { contents: all }));
  const [first, ...others] = chosen.filter((file) => leftOut.has(file));
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${numberOf(others.length, 'other test file')}`;
  throw new Failure('usage', {
    message: `${first}${more} would not run: it is outside of the sparse check-out.`,
    where: { input: 'files' },
    hint: 'Add the folder to sparse-checkout in the step with actions/checkout, or remove sparse-checkout. To run only some tests, name them in the input files.',
  });
}

/** Throws Failure 'usage' for a folder that does not exist. */
async function projectFolder(name: string, workspace: string): Promise<string> {
  try {
    const folder = await realpath(join(workspace, name));
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure('usage', {
      message: `The folder "${name}" ${isMissing ? 'does not exist in the workspace' : 'cannot be read'}.`,
      where: { input: 'working-directory' },
      hint: 'Give a folder of the repository, and add a step with actions/checkout before this step.',
      cause,
    });
  }
  throw notFolder(name);
}

/** `millrace.yaml` as it is checked out, or as git's index has it in a sparse check-out; undefined if it does not exist. Throws Failure 'config-invalid'. */
async function readConfig(
  directory: string,
  prefix: string,
  { environment, context }: Step,
): Promise<ProjectConfig | undefined> {
  const file = `${prefix}${configName}`;
  const reading = readPlainFile(join(directory, configName), file);
  const text = await reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      return leftOutText(directory, configName, { environment, signal: context.signal });
    throw error;
  });
  return text === undefined ? undefined : readProjectConfig(text, file);
}

function refuseEmptyWorkspace({ paths, otherProjects }: TestProject): void {
  if (paths.length > 0 || otherProjects.length > 0) return;
  throw new Failure('no-test', {
    message: 'No test was found: the folder is empty.',
    where: { input: 'working-directory' },
    hint: 'Add a step with actions/checkout before this step.',
  });
}

/**
 * The text that makes a path in the project relative to the repository, with forward slashes; empty if the project
 * is the root of the repository. Pass both folders with symbolic links resolved.
 */
export function projectPrefix(repository: string, project: string, paths: path.PlatformPath = path): string {
  const between = paths.relative(repository, project).split(paths.sep).join('/');
  return between === '' ? '' : `${between}/`;
}
