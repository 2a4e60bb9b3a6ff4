import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import type { Target } from '../../lib/github/workflow-run/event-target.ts';
import { fetchCommit } from '../../lib/github/workflow-run/fetch-commit.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { defaultConfig } from '../kit/checkout/default-config.ts';
import { ownSettingsAt, type Project, readConfigAt } from '../kit/checkout/project.ts';
import type { Step } from '../kit/step/step.ts';

/** The settings that apply to a review, and where they come from. */
export interface Policy {
  readonly config: ProjectConfig;
  /** Whether there is a `millrace.yaml`; otherwise `config` has the defaults. */
  readonly hasFile: boolean;
  /** The commit that decides about the settings and the baseline, if it is not the reviewed one. */
  readonly commit?: string;
  /** The same commit, if it has valid settings; otherwise the settings of the change apply. */
  readonly settingsCommit?: string;
  readonly notes: readonly string[];
}

/**
 * Reads the `millrace.yaml` that applies. On a pull request, in the merge queue, and if the workflow names a base,
 * it is the file of the base, so that a change cannot loosen its own gate. For other events, and if the base has no
 * valid file, it is the file of the head; otherwise no change could add or repair the file.
 */
export async function readPolicy(
  target: Target,
  project: Project,
  from: 'base' | 'head',
  { environment, context }: Step,
): Promise<Policy> {
  const { base, commit, kind, isBaseNamed = false } = target;
  const gated = kind === 'pull-request' || kind === 'merge-group' || isBaseNamed;
  const head = async (): Promise<Pick<Policy, 'config' | 'hasFile'>> => {
    const config = await ownSettingsAt(project, commit);
    return { config: config ?? defaultConfig, hasFile: config !== undefined };
  };
  if (from === 'head' || base === undefined || !gated) return { ...(await head()), notes: [] };
  const ofBase = await readBase(base, project, { environment, context });
  if (ofBase instanceof Failure) {
    const note = `The millrace.yaml of the base is invalid, so the one of this change applies. ${ofBase.message}`;
    return { ...(await head()), hasFile: true, commit: base, notes: [note] };
  }
  if (ofBase !== undefined)
    return { config: ofBase, hasFile: true, commit: base, settingsCommit: base, notes: [] };
  const ofHead = await head();
  const applies = ofHead.hasFile ? 'the one of this change applies' : 'the default settings apply';
  return { ...ofHead, commit: base, notes: [`The base has no millrace.yaml, so ${applies}.`] };
}

/** The settings of the base. Returns a Failure 'config-invalid', and throws every other error. */
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
      message: `Cannot read millrace.yaml of ${base.slice(0, 12)}, the commit that the change is based on. ${error.message}`,
      hint: error.hint,
      cause: error,
    });
  }
}
