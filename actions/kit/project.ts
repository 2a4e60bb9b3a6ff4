import { join } from 'node:path';
import { type ProjectConfig, projectSchema } from '../../lib/config/project-schema.ts';
import { readProjectConfig } from '../../lib/config/read-project-config.ts';
import { openRepository, type Repository } from '../../lib/git/repository.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Step } from './step.ts';

/** The checked-out repository and the folder of the project in it. */
export interface Project {
  readonly repository: Repository;
  /** Relative to the repository, `''` for its root. */
  readonly directory: string;
  /** On this machine. */
  readonly path: string;
}

export const configName = 'millrace.yaml';

/** Opens the project. Failure 'git-failed' without a check-out, 'usage' for a folder outside the repository. */
export async function openProject(step: Step, workingDirectory: string): Promise<Project> {
  const path = join(step.facts.workspace, workingDirectory);
  try {
    const repository = await openRepository(path, {
      environment: step.environment,
      signal: step.context.signal,
    });
    return { repository, directory: repository.prefix, path };
  } catch (cause) {
    if (!(cause instanceof Failure) || step.context.signal.aborted) throw cause;
    const where = { input: 'working-directory' };
    // Another check-out mends neither a git that is not there nor one that refuses.
    if (!/not a git repository|There is no folder/u.test(cause.message)) {
      const message = `The repository in the workspace at "${workingDirectory}" cannot be read: ${cause.message}`;
      throw new Failure('git-failed', { message, where, hint: cause.hint, cause });
    }
    throw new Failure('git-failed', {
      message: `There is no repository in the workspace at "${workingDirectory}": ${cause.message}`,
      where,
      hint: 'Add a step with actions/checkout before this one, and name a folder that is in the repository.',
      cause,
    });
  }
}

/** Path of a file of the project, seen from the repository. */
export function inRepository({ directory }: Project, file: string): string {
  return directory === '' ? file : `${directory}/${file}`;
}

/** `millrace.yaml` at a commit; `undefined` where there is none. Failure 'config-invalid' at its line. */
export async function readConfigAt(project: Project, commit: string): Promise<ProjectConfig | undefined> {
  const file = inRepository(project, configName);
  const content = await project.repository.readFile(commit, file);
  return content === undefined ? undefined : readProjectConfig(content.toString('utf8'), file);
}

/** What holds for a project without `millrace.yaml`. */
export const defaultConfig: ProjectConfig = projectSchema.parse({ version: 1 });
