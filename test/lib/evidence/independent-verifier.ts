import { createPublicKey, verify } from 'node:crypto';

/** What the verifier compares with: plain JSON, as a person would write it. */
export interface Expectation {
  /** Each with the base64 of its public key in DER. */
  readonly keys: readonly {
    readonly publicKey: string;
    readonly from?: string;
    readonly until?: string;
    readonly revoked?: string;
    readonly kinds?: readonly string[];
  }[];
  readonly repositoryId: number;
  readonly version: string;
  readonly commit: string;
  readonly tree: string;
  readonly refs: readonly string[];
  readonly now: string;
  readonly maxAgeSeconds: number;
}

/** The kinds by their predicate types, from docs/evidence.md. */
const types: Readonly<Record<string, string>> = {
  'https://slsa.dev/provenance/v1': 'provenance',
  'urn:millrace:snapshot:v1': 'snapshot',
  'urn:millrace:review:v1': 'review',
  'urn:millrace:tests:v1': 'tests',
  'urn:millrace:data-diff:v1': 'diff',
  'urn:millrace:approvals:v1': 'approvals',
};

/**
 * Verifies a signed statement. Written from docs/evidence.md alone; it imports nothing but `node:crypto`, so that it cannot
 * repeat a mistake of the product. Throws whatever goes wrong on the way, which is a refusal, too.
 */
export function acceptsIndependently(text: string, expectation: Expectation): boolean {
  const { payloadType, payload, signatures } = JSON.parse(text);
  if (payloadType !== 'application/vnd.in-toto+json') return false;
  const body = Buffer.from(payload, 'base64');
  const signed = Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${body.length} `), body]);
  const { _type, subject, predicateType } = JSON.parse(body.toString());
  const kind = types[predicateType];
  if (_type !== 'https://in-toto.io/Statement/v1' || subject.length !== 1 || kind === undefined) return false;
  const { digest, annotations } = subject[0];
  const at = Date.parse(annotations.madeAt);
  const isKeyGood = expectation.keys.some(
    ({ publicKey, from, until, revoked, kinds }) =>
      signatures.some((one: { sig: string }) =>
        verify(
          null,
          signed,
          createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }),
          Buffer.from(one.sig, 'base64'),
        ),
      ) &&
      !(from !== undefined && at < Date.parse(from)) &&
      !(until !== undefined && at >= Date.parse(until)) &&
      !(revoked !== undefined && at >= Date.parse(revoked)) &&
      (kinds === undefined || kinds.includes(kind)),
  );
  const isOfVersion = kind === 'provenance' || kind === 'snapshot';
  const isOfMerge = annotations.pullRequest !== undefined && !isOfVersion;
  const isVersionGood =
    annotations.version === expectation.version || (!isOfVersion && annotations.version === undefined);
  const age = (Date.parse(expectation.now) - at) / 1000;
  return (
    isKeyGood &&
    annotations.repositoryId === expectation.repositoryId &&
    isVersionGood &&
    (isOfMerge || digest.gitCommit === expectation.commit) &&
    digest.gitTree === expectation.tree &&
    (!isOfVersion || expectation.refs.includes(annotations.ref)) &&
    age >= -300 &&
    age <= expectation.maxAgeSeconds
  );
}
