import { readPublicKey } from '../../evidence/keys.ts';
import type { Trust, TrustedKey } from '../../evidence/trust.ts';
import type { EvidenceKey } from './evidence-schema.ts';
import type { RepositoryPolicy } from './worker-schema.ts';

/** The keys that may sign statements about a repository. Keys of other repositories are only used in messages. */
export function trustFor(
  repositories: readonly Pick<RepositoryPolicy, 'id' | 'name' | 'evidence'>[],
  repositoryId: number,
): Trust {
  const elsewhere = new Map<string, string>();
  for (const { id, name, evidence } of repositories)
    if (id !== repositoryId)
      for (const key of evidence.keys) {
        const publicKey = readPublicKey(key['public-key']);
        if (publicKey !== undefined) elsewhere.set(publicKey.id, `the key "${key.name}" of ${name}`);
      }
  const own = repositories.find(({ id }) => id === repositoryId)?.evidence.keys ?? [];
  return { keys: own.flatMap(trustedKey), elsewhere };
}

function trustedKey({
  name,
  'public-key': text,
  from,
  until,
  revoked,
  statements,
}: EvidenceKey): TrustedKey[] {
  const publicKey = readPublicKey(text);
  return publicKey === undefined ? [] : [{ ...publicKey, name, from, until, revoked, kinds: statements }];
}
