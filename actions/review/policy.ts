import type { ProjectConfig } from '../../config/project-schema.ts';
import type { Target } from '../../github/event-target.ts';
import { fetchCommit } from '../../github/fetch-commit.ts';
import { Failure } from '../../model/failure.ts';
import { defaultConfig, type Project, readConfigAt } from '../project.ts';
import type { Step } from '../step.ts';

/** The settings that hold for a review, and where they come from. */
export interface Policy {
  readonly config: ProjectConfig;
  /** The commit that it is of, where that is not the reviewed one. */
  readonly commit?: string;
  readonly notes: readonly string[];
}

/**
 * `millrace.yaml` of the base of a pull request, so that a pull request cannot loosen the gate that it has to pass;
 * of the head elsewhere, or where the base has none.
 */
export async function readPolicy(
  target: Target,
  project: Project,
  from: 'base' | 'head',
  { environment, context }: Step,
): Promise<Policy> {
  const { base, commit, kind } = target;
  const head = async (): Promise<ProjectConfig> => (await readConfigAt(project, commit)) ?? defaultConfig;
  if (from === 'head' || base === undefined || kind !== 'pull-request')
    return { config: await head(), notes: [] };
  try {
    await fetchCommit({ directory: project.path, commit: base, environment, signal: context.signal });
    const config = await readConfigAt(project, base);
    if (config !== undefined) return { config, commit: base, notes: [] };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'git-failed' || context.signal.aborted) throw error;
    throw new Failure('git-failed', {
      message: `The base of the pull request is needed for its millrace.yaml: ${error.message}`,
      mend: error.mend,
      cause: error,
    });
  }
  return {
    config: await head(),
    commit: base,
    notes: ['The base has no millrace.yaml, so that of the pull request holds.'],
  };
}
