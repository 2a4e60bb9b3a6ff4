import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readTarget } from '../../lib/github/event-target.ts';
import { fetchedCommit } from '../../lib/github/fetch-commit.ts';
import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { Failure } from '../../lib/core/failure.ts';
import { configName, defaultConfig, openProject, readConfigAt } from './project.ts';
import type { Step } from './step.ts';

/**
 * `millrace.yaml` at the commit of the run, for actions that need no repository: without a check-out the inputs and
 * variables say everything. With one, the file counts: Failure 'git-failed' where it cannot be read.
 */
export async function settingsOfRun(workingDirectory: string, step: Step): Promise<ProjectConfig> {
  const target = readTarget(step.facts);
  if (target === undefined) return defaultConfig;
  const path = join(step.facts.workspace, workingDirectory);
  if (!(await isCheckedOut(path, step.facts.workspace))) {
    await refuseWithoutGit(path);
    return defaultConfig;
  }
  const project = await openProject(step, workingDirectory);
  const { environment, context } = step;
  const commit = await fetchedCommit(project.repository, {
    directory: project.path,
    commit: target.commit,
    environment,
    signal: context.signal,
  });
  return (await readConfigAt(project, commit)) ?? defaultConfig;
}

/** Whether a folder, or one around it up to the workspace, is a repository; one that holds the workspace is not ours. */
async function isCheckedOut(path: string, workspace: string): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'))) return true;
    if (folder === resolve(workspace) || dirname(folder) === folder) return false;
  }
}

/** Where there was no git when it was checked out, the files are there and no repository is. */
async function refuseWithoutGit(path: string): Promise<void> {
  if (!(await isThere(join(path, configName)))) return;
  throw new Failure('git-failed', {
    message: `${configName} is in the workspace, and no repository that says what it is at the commit of this run.`,
    where: { file: configName },
    hint: 'Install git before the step with actions/checkout: without git it brings files and no repository.',
  });
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
