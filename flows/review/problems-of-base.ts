import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { commitSnapshot } from '../../lib/git/snapshot.ts';
import type { FlowContext } from '../context/context.ts';
import { ignoreMissingHistory } from './scope/ignore-missing-history.ts';
import { reviewLocally } from './review-locally.ts';
import { reviewPolicy, settingsIn } from './scope/review-policy.ts';
import type { BaseProblems, ReviewRequest } from './scope/review-request.ts';
import { startOfChange } from './scope/start-of-change.ts';

interface ReviewedBase {
  readonly baseProblems: BaseProblems;
  /** What a reader should know about this comparison: one sentence each. */
  readonly notes: readonly string[];
}

interface BaseOptions {
  /** The commit that the change is compared with, which must be in the repository. */
  readonly base: string;
  /** The merge base, if the caller knows it better than git in a shallow clone. It must be in the repository. */
  readonly mergeBase?: string | undefined;
  /** The folder of the rules file, if the caller decides it and not `millrace.yaml`. */
  readonly configDir?: string | undefined;
}

/**
 * Finds the findings that existed before a change: reviews all pipelines of the merge base, with the settings and
 * rules of that commit, always on this machine. If `millrace.yaml` is missing or invalid there, the settings of the
 * request are used; otherwise no change could add or repair that file. Throws Failure 'git-failed' if the base
 * cannot be read.
 */
export async function problemsOfBase(
  request: ReviewRequest,
  { base, mergeBase, configDir }: BaseOptions,
  context: FlowContext,
): Promise<ReviewedBase> {
  const { repository, directory, branch } = request;
  const { signal, progress } = context;
  const notes: string[] = [];
  try {
    const head = request.snapshot?.commit ?? (await repository.resolveCommit(request.commit, { signal }));
    const fork = mergeBase ?? (await findMergeBase(request, base, head, signal));
    if (fork === 'unknown') {
      notes.push(
        `The history of this check-out does not reach the merge base, so the problems are compared with the problems of the base ${base.slice(0, 12)}. Check out with fetch-depth: 0 to compare with the merge base.`,
      );
    }
    const commit = fork === 'unknown' ? base : fork;
    progress.step(`Reviewing the base ${commit.slice(0, 12)}`);
    const settings = await settingsAt(request, commit, signal);
    if (settings === 'invalid')
      notes.push(
        'The millrace.yaml of the merge base is invalid, so its problems were found with the settings of this review.',
      );
    const config = typeof settings === 'string' ? undefined : settings;
    const report = await reviewLocally(
      {
        ...(config === undefined
          ? request
          : {
              ...config.files,
              ...reviewPolicy(config, directory),
              configDir: configDir ?? config.configDir,
            }),
        repository,
        directory,
        branch,
        commit,
        agentVersion: '',
        scope: 'all',
        failOn: 'never',
        // The finding counts as it is, whatever was known about it.
        baseline: undefined,
        policyCommit: undefined,
        replacedBaseline: undefined,
        base: undefined,
        change: undefined,
        files: undefined,
        snapshot: undefined,
      },
      context,
    );
    return { baseProblems: { commit, entries: report.nextBaseline }, notes };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'git-failed' || signal.aborted) throw error;
    throw new Failure('git-failed', {
      message: `Cannot review the commit ${base.slice(0, 12)}, which the change is compared with. ${error.message}`,
      hint: error.hint,
      cause: error,
    });
  }
}

/** Where the change from the base starts; `unknown` if a shallow clone lacks the history. */
async function findMergeBase(
  request: ReviewRequest,
  base: string,
  head: string,
  signal: AbortSignal,
): Promise<string> {
  const mergeBase = await ignoreMissingHistory(startOfChange(request, base, head, { signal }));
  signal.throwIfAborted();
  return mergeBase ?? 'unknown';
}

async function settingsAt(
  { repository, configFile }: ReviewRequest,
  commit: string,
  signal: AbortSignal,
): Promise<ProjectConfig | 'invalid' | 'missing'> {
  if (configFile === undefined) return 'missing';
  try {
    return (await settingsIn(commitSnapshot(repository, commit, signal), configFile)) ?? 'missing';
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error;
    return 'invalid';
  }
}
