import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { extendReview } from '../../../lib/config/project/extend-review.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { openRepository, type Repository } from '../../../lib/git/repository.ts';
import { requireText } from '../../../lib/core/files/decode-text.ts';
import { refuseSettingsElsewhere } from '../../../lib/config/project/settings-elsewhere.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { fetchedCommit } from '../../../lib/github/workflow-run/fetch-commit.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { configName, defaultConfig } from './default-config.ts';
import type { Step } from '../step/step.ts';

/** The checked-out repository and the project's folder in it. */
export interface Project {
  readonly repository: Repository;
  /** Relative to the repository, `''` for its root. */
  readonly directory: string;
  /** On this machine. */
  readonly path: string;
}

/** Opens the project. Throws Failure 'git-failed' without a check-out, 'usage' for a folder outside the repository. */
export async function openProject(step: Step, workingDirectory: string): Promise<Project> {
  const path = join(step.facts.workspace, workingDirectory);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) throw notFolder(workingDirectory);
  try {
    const repository = await openRepository(path, {
      environment: step.environment,
      signal: step.context.signal,
    });
    return { repository, directory: repository.prefix, path };
  } catch (cause) {
    if (!(cause instanceof Failure) || step.context.signal.aborted) throw cause;
    const where = { input: 'working-directory' };
    // Another check-out does not help if git is not installed or refuses the repository.
    if (!/not a git repository|^The folder .* does not exist/u.test(cause.message)) {
      const message = `Cannot read the repository in the workspace at "${workingDirectory}": ${cause.message}`;
      throw new Failure('git-failed', { message, where, hint: cause.hint, cause });
    }
    throw new Failure('git-failed', {
      message: `There is no repository in the workspace at "${workingDirectory}": ${cause.message}`,
      where,
      hint: 'Add a step with actions/checkout before this step, and give a folder that is in the repository.',
      cause,
    });
  }
}

/** The failure for an input whose value is not a folder. */
export function notFolder(workingDirectory: string): Failure {
  return new Failure('usage', {
    message: `"${visibleText(workingDirectory)}" is not a folder.`,
    where: { input: 'working-directory' },
    hint: 'Give the folder of the project, relative to the workspace, or omit working-directory.',
  });
}

/** Opens the project, fetches a commit if it is missing, and reads `millrace.yaml` at it. Throws as `openProject`, and 'config-invalid'. */
export async function openProjectAt(
  requested: string,
  step: Step,
  workingDirectory: string,
): Promise<{ readonly project: Project; readonly commit: string; readonly config: ProjectConfig }> {
  const project = await openProject(step, workingDirectory);
  const commit = await fetchedCommit(project.repository, {
    directory: project.path,
    commit: requested,
    environment: step.environment,
    signal: step.context.signal,
  });
  return { project, commit, config: await settingsAt(project, commit) };
}

/**
 * Like `readConfigAt`, with the defaults for a folder that is not a part of a project. Throws what `readConfigAt`
 * throws, and 'config-invalid' and 'usage' for settings in another folder (`refuseSettingsElsewhere`).
 */
export async function settingsAt(project: Project, commit: string): Promise<ProjectConfig> {
  return (await ownSettingsAt(project, commit)) ?? defaultConfig;
}

/** Like `settingsAt`, but undefined instead of the defaults. */
export async function ownSettingsAt(project: Project, commit: string): Promise<ProjectConfig | undefined> {
  const config = await readConfigAt(project, commit);
  if (config !== undefined) return config;
  const files = (await project.repository.listTree(commit)).map(({ path }) => path);
  refuseSettingsElsewhere(project.directory, files, 'working-directory');
  return undefined;
}

/**
 * Reads `millrace.yaml`, with what it extends, at a commit; `undefined` if it does not exist. Throws Failure
 * 'config-invalid' with the line.
 */
export async function readConfigAt(project: Project, commit: string): Promise<ProjectConfig | undefined> {
  const file = inRepository(project.directory, configName);
  const content = await project.repository.readFile(commit, file);
  if (content === undefined) return undefined;
  const config = readProjectConfig(requireText(content, file), file);
  return extendReview(config, file, async (path) => {
    const extended = await project.repository.readFile(commit, path);
    return extended === undefined ? undefined : requireText(extended, path);
  });
}
