import { join } from 'node:path';
import { readTarget } from '../../../lib/github/workflow-run/event-target.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { configName, defaultConfig } from './default-config.ts';
import { openProjectAt } from './project.ts';
import { exists, repositoryFolder } from './repository-folder.ts';
import type { Step } from '../step/step.ts';

/**
 * Reads `millrace.yaml` at the commit of the workflow run, for actions that need no repository. Without a
 * check-out, only inputs and variables apply. With a check-out, throws Failure 'git-failed' if the file cannot be
 * read.
 */
export async function readRunSettings(workingDirectory: string, step: Step): Promise<ProjectConfig> {
  const target = readTarget(step.facts);
  if (target === undefined) return defaultConfig;
  const path = join(step.facts.workspace, workingDirectory);
  if ((await repositoryFolder(path, step.facts.workspace)) === undefined) {
    await refuseWithoutGit(path);
    return defaultConfig;
  }
  return (await openProjectAt(target.commit, step, workingDirectory)).config;
}

/** Throws Failure 'git-failed' if the check-out ran without git: then there are files, but no repository. */
async function refuseWithoutGit(path: string): Promise<void> {
  if (!(await exists(join(path, configName)))) return;
  throw new Failure('git-failed', {
    message:
      'The workspace contains millrace.yaml, but no git repository, so its state at the commit of this run is unknown.',
    where: { file: configName },
    hint: 'Install git before the step with actions/checkout. Without git, actions/checkout downloads the files without a repository.',
  });
}
