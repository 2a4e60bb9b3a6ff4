import { evidenceBranch } from '../../lib/evidence/evidence-branch.ts';
import type { JsonValue } from '../../lib/core/values/canonical-json.ts';
import { signEnvelope } from '../../lib/evidence/envelope.ts';
import type { SigningKey } from '../../lib/evidence/keys.ts';
import { type Binding, encodeStatement, momentOf } from '../../lib/evidence/statement.ts';
import { type EvidenceKind, predicateTypes } from '../../lib/evidence/evidence-kinds.ts';
import { evidencePath } from './evidence-files.ts';

/** A fact to sign. */
export interface Fact {
  readonly kind: EvidenceKind;
  readonly predicate: JsonValue;
  /** The version, for a fact about one; absent for a fact about a commit. */
  readonly version?: string | undefined;
}

/** The files to add to the statements' branch in one commit. */
export interface EvidenceFiles {
  readonly branch: string;
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Signs facts about one commit, each as a separate statement. `now`: milliseconds since the epoch. */
export function signFacts(
  facts: readonly Fact[],
  about: Omit<Binding, 'version' | 'madeAt'>,
  { key, now }: { readonly key: SigningKey; readonly now: number },
): EvidenceFiles {
  const madeAt = momentOf(now);
  const files = facts.map(({ kind, predicate, version }) => {
    const statement = { ...about, version, madeAt, predicateType: predicateTypes[kind], predicate };
    const text = signEnvelope(encodeStatement(statement), [key]);
    return [evidencePath(about.tree, kind, text), text] as const;
  });
  const kinds = facts.map(({ kind }) => kind).join(', ');
  return {
    branch: evidenceBranch,
    files: Object.fromEntries(files),
    message: `Add ${kinds} of ${about.commit.slice(0, 12)}`,
  };
}
