import { visibleText } from '../../../lib/core/text/visible-text.ts';
import type { Repository } from '../../../lib/git/repository.ts';
import type { Session } from '../session.ts';

/**
 * Resolves a branch, tag or id that a user gave to a commit. Warns if a branch and a tag have this name. Throws
 * Failure 'git-failed'.
 */
export async function resolveNamedCommit(
  repository: Repository,
  name: string,
  { output, io: { signal } }: Session,
): Promise<string> {
  const commit = await repository.resolveCommit(name, { signal });
  if (await repository.isAmbiguous(name, { signal })) {
    const shown = visibleText(name);
    output.logger.warn(
      `A branch and a tag have the name "${shown}". Millrace uses the tag, as git does. To name the branch, write refs/heads/${shown}.`,
    );
  }
  return commit;
}
