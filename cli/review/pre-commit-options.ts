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
export function preCommitOptions(
  options: ReviewOptions,
  env: Readonly<Record<string, string | undefined>>,
): PreCommitOptions {
  if (options.staged !== true || isEmpty(env['PRE_COMMIT'])) return options;
  const [from, to] = [env['PRE_COMMIT_FROM_REF'], env['PRE_COMMIT_TO_REF']];
  const { staged: _, ...ofCommit } = options;
  if (!isEmpty(from) && !isEmpty(to)) {
    // The branch is new, so there is nothing to compare with.
    if (noCommit.test(from)) return { ...ofCommit, commit: to, scope: 'all' };
    const range = isEmpty(env['PRE_COMMIT_REMOTE_BRANCH']) ? 'commits' : 'push';
    return {
      ...ofCommit,
      base: options.base ?? from,
      commit: to,
      ...(options.base === undefined && { range }),
    };
  }
  const pushed = env['PRE_COMMIT_LOCAL_BRANCH'];
  if (!isEmpty(pushed)) return { ...ofCommit, commit: pushed, scope: 'all' };
  // Git names the index to its hooks: with nothing staged, only the message of the commit changes.
  return { ...options, wholeIfUnchanged: isEmpty(env['GIT_INDEX_FILE']) };
}

function isEmpty(value: string | undefined): value is '' | undefined {
  return value === undefined || value === '';
}
