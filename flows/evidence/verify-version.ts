import type { EvidenceRule } from '../../lib/config/project/evidence-rules-schema.ts';
import type { EvidenceKind } from '../../lib/evidence/evidence-kinds.ts';
import type { Trust } from '../../lib/evidence/trust.ts';
import {
  type Expected,
  type RefusalReason,
  type Verdict,
  verifyStatement,
} from '../../lib/evidence/verify-statement.ts';
import { checkRule } from './check-rule.ts';
import { type EvidenceSource, isNamedAs, maxStatements, type StoredStatement } from './evidence-files.ts';

/** The version to verify, and the rules that it must meet. */
export interface EvidenceRequest extends Expected {
  readonly trust: Trust;
  readonly rules: readonly EvidenceRule[];
  /** Whether snapshots are verified although no rule is about them. Default: they are not read. */
  readonly withSnapshots?: boolean;
}

/** The result of verifying one stored statement. */
export interface StatementResult {
  /** The name of its file. */
  readonly file: string;
  readonly status: 'accepted' | 'refused';
  /** As the statement says; undefined if it cannot be read. */
  readonly kind?: EvidenceKind | undefined;
  readonly reason?: RefusalReason | undefined;
  /** Why it is refused, as a clause. */
  readonly text?: string | undefined;
  readonly madeAt?: string | undefined;
  /** Name of the key that signed it. */
  readonly key?: string | undefined;
}

/** Whether a rule is met, and if not, why. */
export interface RuleResult {
  readonly kind: EvidenceKind;
  readonly mode: EvidenceRule['mode'];
  readonly isMet: boolean;
  /** Why not, as a clause. */
  readonly text?: string | undefined;
  /** The statement that counts. */
  readonly file?: string | undefined;
}

export interface EvidenceResult {
  readonly rules: readonly RuleResult[];
  readonly statements: readonly StatementResult[];
}

interface Verified {
  readonly name: string;
  readonly verdict: Verdict;
}

/**
 * Verifies the stored statements about a version, and checks the rules. Of several accepted statements of a kind,
 * the newest counts. A refused statement never meets a rule, but another statement of its kind may. Throws what the
 * source throws.
 */
export async function verifyVersion(
  request: EvidenceRequest,
  source: EvidenceSource,
): Promise<EvidenceResult> {
  // A snapshot is large: where no rule is about it, it is not read.
  const areSnapshotsWanted =
    request.withSnapshots === true || request.rules.some(({ kind }) => kind === 'snapshot');
  const stored = await source.statements(
    request.tree,
    (name) => areSnapshotsWanted || !isNamedAs('snapshot', name),
  );
  if (stored === 'truncated' || stored.length > maxStatements) {
    const text = 'the list of the statements is truncated';
    return { rules: request.rules.map((rule) => unmet(rule, text)), statements: [] };
  }
  const verified = stored.map(({ name, text }): Verified => ({ name, verdict: verify(text, request) }));
  const rules: RuleResult[] = [];
  for (const rule of request.rules) rules.push(await resultOf(rule, verified, { request, source }));
  return { rules, statements: verified.map(describe) };
}

/** The rules that a version does not meet. */
export function unmetRules({ rules }: EvidenceResult, mode: EvidenceRule['mode']): readonly RuleResult[] {
  return rules.filter((rule) => !rule.isMet && rule.mode === mode);
}

/** The unmet rules in one line: `review (there is no statement); tests (the tests failed)`. */
export function describeUnmet(unmetOnes: readonly RuleResult[]): string {
  return unmetOnes.map(({ kind, text = 'unmet' }) => `${kind} (${text})`).join('; ');
}

function verify(text: StoredStatement['text'], request: EvidenceRequest): Verdict {
  if (text === undefined) return { status: 'refused', reason: 'unreadable', text: 'it is too large' };
  return verifyStatement(text, request.trust, request);
}

async function resultOf(
  rule: EvidenceRule,
  verified: readonly Verified[],
  { request, source }: { readonly request: EvidenceRequest; readonly source: EvidenceSource },
): Promise<RuleResult> {
  const ofKind = verified.filter(({ verdict }) => verdict.kind === rule.kind);
  const accepted = ofKind
    .flatMap(({ name, verdict }) => (verdict.status === 'accepted' ? [{ name, ...verdict }] : []))
    .toSorted((a, b) => Date.parse(b.statement.madeAt) - Date.parse(a.statement.madeAt));
  const [newest] = accepted;
  if (newest === undefined) return unmet(rule, reasonOfNone(ofKind, verified));
  const readFiles = async () => source.files(request.tree);
  const text = await checkRule(rule, newest.statement, { now: request.now, readFiles });
  return text === undefined
    ? { kind: rule.kind, mode: rule.mode, isMet: true, file: newest.name }
    : { ...unmet(rule, text), file: newest.name };
}

function unmet({ kind, mode }: EvidenceRule, text: string): RuleResult {
  return { kind, mode, isMet: false, text };
}

/** Why no statement of a kind counts: the reason against one of this kind, or against one that cannot be read. */
function reasonOfNone(ofKind: readonly Verified[], all: readonly Verified[]): string {
  const refusal = [...ofKind, ...all.filter(({ verdict }) => verdict.kind === undefined)]
    .map(({ verdict }) => verdict)
    .find((verdict) => verdict.status === 'refused');
  return refusal === undefined ? 'there is no statement' : `the statement is refused: ${refusal.text}`;
}

function describe({ name, verdict }: Verified): StatementResult {
  if (verdict.status === 'accepted')
    return {
      file: name,
      status: 'accepted',
      kind: verdict.kind,
      madeAt: verdict.statement.madeAt,
      key: verdict.key.name,
    };
  return { file: name, status: 'refused', kind: verdict.kind, reason: verdict.reason, text: verdict.text };
}
