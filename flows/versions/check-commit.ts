import { commitIdPattern } from '../../lib/core/values/commit-id.ts';

/** The rule about the commit from which an artifact must be built. */
export interface CommitRule {
  /** Exactly this one; `undefined` for any commit that `isAllowed`. */
  readonly expected: string | undefined;
  /** Whether a commit may be promoted: it is on an allowed branch. `not-shown`: GitHub does not show the commit. */
  readonly isAllowed: (commit: string) => Promise<boolean | 'not-shown'>;
  /** The specification does not show the fields of a listed artifact (unknowns §3), so that the commit may be missing. */
  readonly withoutCommit: 'refuse' | 'accept';
}

export type CommitCheck =
  /** `commit`: the artifact's; `undefined` if the platform does not say it. */
  | { readonly status: 'ok'; readonly commit: string | undefined }
  /** `not-shown`: as long as GitHub does not show the commit. */
  | { readonly status: 'refused' | 'not-shown'; readonly reason: string };

/**
 * Checks that an artifact was built from the commit that was resolved, shown and approved. The name of a version
 * proves nothing: a tag can be moved, and anyone with access to the platform can publish under any name.
 */
export async function checkCommit(
  artifact: {
    readonly versionName: string;
    readonly environmentName: string;
    readonly commitHash?: string | null | undefined;
  },
  { expected, isAllowed, withoutCommit }: CommitRule,
): Promise<CommitCheck> {
  const version = `${artifact.versionName} in ${artifact.environmentName}`;
  const commit = artifact.commitHash?.trim() || undefined;
  if (commit === undefined) {
    if (withoutCommit === 'accept') return { status: 'ok', commit };
    return refused(`the platform does not say from which commit ${version} was built`);
  }
  if (expected !== undefined) {
    if (isSameCommit(commit, expected)) return { status: 'ok', commit };
    return refused(`${version} was built from commit ${short(commit)}, not from ${short(expected)}`);
  }
  if (!commitIdPattern.test(commit.toLowerCase()))
    return refused(
      `the platform says that ${version} was built from "${commit}", which is not a whole commit id`,
    );
  const isOnBranch = await isAllowed(commit.toLowerCase());
  if (isOnBranch === true) return { status: 'ok', commit };
  const built = `${version} was built from commit ${short(commit)}`;
  if (isOnBranch === false) return refused(`${built}, which is on no allowed branch`);
  return { status: 'not-shown', reason: `${built}, which GitHub does not show` };
}

/** Whether two full commit hashes are equal. An abbreviated hash is never equal. */
export function isSameCommit(a: string | null | undefined, b: string): boolean {
  return a?.trim().toLowerCase() === b.trim().toLowerCase();
}

const refused = (reason: string): CommitCheck => ({ status: 'refused', reason });
const short = (commit: string): string => commit.slice(0, 12);
