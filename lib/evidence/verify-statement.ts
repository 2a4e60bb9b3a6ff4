import { shorten } from '../core/text/shorten.ts';
import { visibleText } from '../core/text/visible-text.ts';
import { type Envelope, isSignedBy, readEnvelope } from './envelope.ts';
import { decodeStatement, kindOf, type Statement } from './statement.ts';
import { type EvidenceKind } from './evidence-kinds.ts';
import { type KeyRefusal, refuseKey, type Trust, type TrustedKey } from './trust.ts';

/** The version that is verified, and the time of the verification. */
export interface Expected {
  /** `owner/name`. Compared only if there is no `repositoryId`. */
  readonly repository: string;
  readonly repositoryId?: number | undefined;
  readonly commit: string;
  readonly tree: string;
  readonly version: string;
  /** Whether a version may be published from a ref. */
  readonly isRefAllowed: (ref: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The reason why a statement is refused. */
export type RefusalReason =
  | KeyRefusal
  | 'unreadable'
  | 'unknown-key'
  | 'key-of-other-repository'
  | 'forged'
  | 'unknown-kind'
  | 'other-repository'
  | 'other-version'
  | 'other-commit'
  | 'other-tree'
  | 'other-ref'
  | 'from-the-future';

/** An accepted statement, or the first reason against it. */
export type Verdict =
  | {
      readonly status: 'accepted';
      readonly kind: EvidenceKind;
      readonly statement: Statement;
      /** The key that signed it. */
      readonly key: TrustedKey;
    }
  | {
      readonly status: 'refused';
      readonly reason: RefusalReason;
      /** A clause after "the statement is refused: ". */
      readonly text: string;
      /** As the statement itself says, if it can be read. It proves nothing. */
      readonly kind?: EvidenceKind | undefined;
    };

/** How far the clocks of two machines may differ, in milliseconds. */
const maxClockSkewMs = 300_000;

/** Facts about a version, not only about its commit. */
const ofVersion: readonly EvidenceKind[] = ['provenance', 'snapshot'];

/**
 * Verifies a statement without a network: signature, key, repository, version, commit, tree, ref, and time. The
 * maximum age is a matter of rules (`flows/evidence`).
 */
export function verifyStatement(text: string, trust: Trust, expected: Expected): Verdict {
  const envelope = readEnvelope(text);
  if (envelope === undefined) return refused('unreadable', 'it is not a DSSE envelope, or it is truncated');
  const statement = decodeStatement(envelope.payload);
  if (typeof statement === 'string') return refused('unreadable', statement);
  const kind = kindOf(statement);
  if (kind === undefined)
    return refused('unknown-kind', `its predicate type is "${quoted(statement.predicateType)}"`);
  const signer = findSigner(envelope, statement, { trust, kind });
  if ('status' in signer) return { ...signer, kind };
  const wrong = compare(statement, kind, expected);
  return wrong === undefined ? { status: 'accepted', kind, statement, key: signer } : { ...wrong, kind };
}

type Refusal = Extract<Verdict, { readonly status: 'refused' }>;

const refused = (reason: RefusalReason, text: string): Refusal => ({ status: 'refused', reason, text });

/** The trusted key that signed an envelope; otherwise the reason against its first signature. */
function findSigner(
  envelope: Envelope,
  { madeAt }: Statement,
  { trust, kind }: { readonly trust: Trust; readonly kind: EvidenceKind },
): TrustedKey | Refusal {
  let first: Refusal | undefined;
  for (const { keyId, signature } of envelope.signatures) {
    const key = trust.keys.find(({ id }) => id === keyId);
    const refusal = key === undefined ? unknownKey(keyId, trust) : refuseSignature(key);
    if (key !== undefined && refusal === undefined) return key;
    first ??= refusal;

    function refuseSignature(trusted: TrustedKey): Refusal | undefined {
      if (!isSignedBy(envelope, signature, trusted))
        return refused('forged', `its signature is not one of the key "${trusted.name}", which it names`);
      const reason = refuseKey(trusted, kind, Date.parse(madeAt));
      return reason === undefined
        ? undefined
        : refused(reason, describeKey(reason, trusted, { kind, madeAt }));
    }
  }
  return first ?? refused('unreadable', 'it has no signature');
}

function unknownKey(keyId: string, { elsewhere }: Trust): Refusal {
  const other = elsewhere?.get(keyId);
  return other === undefined
    ? refused('unknown-key', `it is signed with the key ${keyId.slice(0, 16)}…, which is not trusted`)
    : refused(
        'key-of-other-repository',
        `it is signed with ${other}, which is not trusted for this repository`,
      );
}

function describeKey(
  reason: KeyRefusal,
  { name, from, until, revoked }: TrustedKey,
  { kind, madeAt }: { readonly kind: EvidenceKind; readonly madeAt: string },
): string {
  const at = (moment: number | undefined): string => new Date(moment ?? 0).toISOString();
  switch (reason) {
    case 'key-revoked':
      return `the key "${name}" is revoked from ${at(revoked)} on, and the statement is from ${madeAt}`;
    case 'key-not-valid-yet':
      return `the key "${name}" is valid from ${at(from)} on, and the statement is from ${madeAt}`;
    case 'key-expired':
      return `the key "${name}" is valid until ${at(until)}, and the statement is from ${madeAt}`;
    case 'key-for-other-statements':
      return `the key "${name}" may not sign statements of the kind ${kind}`;
  }
}

/** What of a statement is not about the version that is verified. */
function compare(statement: Statement, kind: EvidenceKind, expected: Expected): Refusal | undefined {
  const { repository, repositoryId, version, commit, tree, ref, pullRequest, madeAt } = statement;
  const { repositoryId: id } = expected;
  const isSameRepository =
    id === undefined ? repository.toLowerCase() === expected.repository.toLowerCase() : repositoryId === id;
  if (!isSameRepository) {
    const known = repositoryId === undefined ? '' : ` (id ${repositoryId})`;
    return refused('other-repository', `it is about the repository ${quoted(repository)}${known}`);
  }
  const needsVersion = ofVersion.includes(kind);
  if (needsVersion ? version !== expected.version : version !== undefined && version !== expected.version)
    return refused(
      'other-version',
      version === undefined ? 'it names no version' : `it is about the version ${quoted(version)}`,
    );
  // The merge commit of a pull request exists only for its checks: there, the same files count.
  const isOfMerge = pullRequest !== undefined && !needsVersion;
  if (!isOfMerge && commit !== expected.commit)
    return refused('other-commit', `it is about the commit ${commit.slice(0, 12)}`);
  if (tree !== expected.tree)
    return refused(
      'other-tree',
      isOfMerge
        ? `it is about the merge commit of pull request ${pullRequest}, which has other files than the version`
        : `it names the tree ${tree.slice(0, 12)}, which is not the tree of its commit`,
    );
  if (needsVersion && !expected.isRefAllowed(ref))
    return refused('other-ref', `the version was published from ${quoted(ref)}, which is not allowed`);
  if (Date.parse(madeAt) > expected.now + maxClockSkewMs)
    return refused('from-the-future', `it is from ${madeAt}, which is in the future`);
  return undefined;
}

/** A value of a statement that may be forged, for messages. */
function quoted(text: string): string {
  return shorten(visibleText(text), 100);
}
