import { readTarget } from '../github/event-target.ts';
import type { ProjectConfig } from '../config/project-schema.ts';
import { Failure } from '../model/failure.ts';
import { defaultConfig, openProject, readConfigAt } from './project.ts';
import type { Step } from './step.ts';

/**
 * `millrace.yaml` at the commit of the run, for actions that need no repository: without a check-out the inputs and
 * variables say everything.
 */
export async function settingsOfRun(workingDirectory: string, step: Step): Promise<ProjectConfig> {
  const target = readTarget(step.facts);
  if (target === undefined) return defaultConfig;
  try {
    const project = await openProject(step, workingDirectory);
    return (await readConfigAt(project, target.commit)) ?? defaultConfig;
  } catch (error) {
    if (error instanceof Failure && error.code === 'git-failed' && !step.context.signal.aborted)
      return defaultConfig;
    throw error;
  }
}
