import { noCommit } from '../../lib/git/objects/resolve-commit.ts';
import type { ReviewRequest } from '../../flows/review/scope/review-request.ts';
import type { ReviewOptions } from './review-options.ts';

/** What a review looks at if pre-commit (https://pre-commit.com) starts it. */
export interface PreCommitOptions extends ReviewOptions {
  /** Review all pipelines if nothing is staged. */
  readonly wholeIfUnchanged?: boolean;
  /** The commits are a range, as ReviewRequest has it. */
  readonly range?: ReviewRequest['range'];
}

/**
 * The options of a review that a hook of pre-commit starts. pre-commit starts the same command before a commit,
 * before a push and in CI. With a range of commits (`--from-ref` and `--to-ref`, or a push), the range is reviewed;
 * before the first push of a history, all of it. pre-commit does not say whether it was started with `--all-files`:
 * outside of `git commit`, with nothing staged, the whole project is reviewed.
 */
export function preCommitOptions(options: ReviewOptions, env: Environment): PreCommitOptions {
  if (options.staged !== true || isEmpty(env['PRE_COMMIT'])) return options;
  const commits = hookCommits(env);
  // Git names the index to its hooks: with nothing staged, only the message of the commit changes.
  if (commits === undefined) return { ...options, wholeIfUnchanged: isEmpty(env['GIT_INDEX_FILE']) };
  const { staged: _, ...ofCommit } = options;
  const { from, to: commit, isPush } = commits;
  if (from === undefined) return { ...ofCommit, commit, scope: 'all' };
  return {
    ...ofCommit,
    base: options.base ?? from,
    commit,
    ...(options.base === undefined && { range: isPush ? 'push' : 'commits' }),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The commits that a hook of pre-commit checks instead of what is staged. */
export interface HookCommits {
  /** Undefined if there is nothing to compare with, because the branch is new. */
  readonly from: string | undefined;
  readonly to: string;
  readonly isPush: boolean;
}

/** What pre-commit tells its hooks about commits; undefined if they check what is staged. */
export function hookCommits(env: Environment): HookCommits | undefined {
  if (isEmpty(env['PRE_COMMIT'])) return undefined;
  const [from, to] = [env['PRE_COMMIT_FROM_REF'], env['PRE_COMMIT_TO_REF']];
  if (!isEmpty(from) && !isEmpty(to))
    return {
      from: noCommit.test(from) ? undefined : from,
      to,
      isPush: !isEmpty(env['PRE_COMMIT_REMOTE_BRANCH']),
    };
  const pushed = env['PRE_COMMIT_LOCAL_BRANCH'];
  return isEmpty(pushed) ? undefined : { from: undefined, to: pushed, isPush: true };
}

function isEmpty(value: string | undefined): value is '' | undefined {
  return value === undefined || value === '';
}
