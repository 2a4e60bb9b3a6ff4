import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import type { Target } from '../../lib/github/event-target.ts';
import { fetchCommit } from '../../lib/github/fetch-commit.ts';
import { Failure } from '../../lib/core/failure.ts';
import { defaultConfig, type Project, readConfigAt } from '../kit/project.ts';
import type { Step } from '../kit/step.ts';

/** The settings that hold for a review, and where they come from. */
export interface Policy {
  readonly config: ProjectConfig;
  /** The commit that it is of, where that is not the reviewed one. */
  readonly commit?: string;
  readonly notes: readonly string[];
}

/**
 * `millrace.yaml` of the base of a pull request or a merge group, so that a change cannot loosen the gate that it has
 * to pass; of the head elsewhere, where the base has none, and where that of the base cannot be read: else no change
 * could repair it.
 */
export async function readPolicy(
  target: Target,
  project: Project,
  from: 'base' | 'head',
  { environment, context }: Step,
): Promise<Policy> {
  const { base, commit, kind } = target;
  const gated = kind === 'pull-request' || kind === 'merge-group';
  const head = async (): Promise<ProjectConfig> => (await readConfigAt(project, commit)) ?? defaultConfig;
  if (from === 'head' || base === undefined || !gated) return { config: await head(), notes: [] };
  const ofBase = await readBase(base, project, { environment, context });
  if (ofBase instanceof Failure) {
    const note = `The millrace.yaml of the base cannot be read, so that of this change holds. ${ofBase.message}`;
    return { config: await head(), commit: base, notes: [note] };
  }
  if (ofBase !== undefined) return { config: ofBase, commit: base, notes: [] };
  return {
    config: await head(),
    commit: base,
    notes: ['The base has no millrace.yaml, so that of this change holds.'],
  };
}

/** The settings of the base; a Failure 'config-invalid' is an answer. */
async function readBase(
  base: string,
  project: Project,
  { environment, context: { signal } }: Pick<Step, 'environment' | 'context'>,
): Promise<ProjectConfig | Failure | undefined> {
  try {
    await fetchCommit({ directory: project.path, commit: base, environment, signal });
    return await readConfigAt(project, base);
  } catch (error) {
    if (!(error instanceof Failure) || signal.aborted) throw error;
    if (error.code === 'config-invalid') return error;
    if (error.code !== 'git-failed') throw error;
    throw new Failure('git-failed', {
      message: `The base of the change is needed for its millrace.yaml: ${error.message}`,
      hint: error.hint,
      cause: error,
    });
  }
}
