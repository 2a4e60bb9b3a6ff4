import { evidenceBranch } from '../../lib/evidence/evidence-branch.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { maxEnvelopeBytes } from '../../lib/evidence/envelope.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import {
  evidenceFolder,
  type EvidenceSource,
  maxStatements,
  type StoredStatement,
} from './evidence-files.ts';

/** The refs of a clone that may have the statements, the best one first. */
const refs = [`refs/remotes/origin/${evidenceBranch}`, `refs/heads/${evidenceBranch}`];

/**
 * Finds the newest commit of the statements' branch in a clone; undefined if the clone does not have the branch.
 * `ref`: a ref to use instead. Throws Failure 'git-failed' if that ref does not exist.
 */
export async function findEvidenceCommit(
  repository: Pick<Repository, 'resolveCommit'>,
  ref: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (ref !== undefined) return repository.resolveCommit(ref, { signal });
  for (const candidate of refs) {
    try {
      return await repository.resolveCommit(candidate, { signal });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return undefined;
}

/**
 * Reads statements and files from a clone. `commit`: a commit of the statements' branch; without it, there are no
 * statements.
 */
export function cloneSource(
  repository: Pick<Repository, 'listTree' | 'openBlobReader'>,
  { commit, of }: { readonly commit: string | undefined; readonly of: string },
  signal: AbortSignal,
): EvidenceSource {
  return {
    async statements(tree, isWanted) {
      if (commit === undefined) return [];
      const under = evidenceFolder(tree);
      const entries = await repository.listTree(commit, { under, signal });
      const blobs = entries.filter(
        ({ type, path }) => type === 'blob' && isWanted(path.slice(under.length + 1)),
      );
      await using reader = repository.openBlobReader({ signal });
      const stored: StoredStatement[] = [];
      for (const { path, oid } of blobs.slice(0, maxStatements + 1)) {
        const bytes = await reader.readWithin(oid, maxEnvelopeBytes);
        stored.push({ name: path.slice(under.length + 1), text: bytes?.toString('utf8') });
      }
      return stored;
    },
    files: async () => repository.listTree(of, { signal }),
  };
}
