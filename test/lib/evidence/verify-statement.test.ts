import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { signEnvelope } from '../../../lib/evidence/envelope.ts';
import {
  createSigningKey,
  privateKeyText,
  publicKeyText,
  readPublicKey,
  readSigningKey,
  type SigningKey,
} from '../../../lib/evidence/keys.ts';
import { encodeStatement, momentOf, type Statement } from '../../../lib/evidence/statement.ts';
import { type EvidenceKind, predicateTypes } from '../../../lib/evidence/evidence-kinds.ts';
import type { TrustedKey } from '../../../lib/evidence/trust.ts';
import { verifyStatement } from '../../../lib/evidence/verify-statement.ts';
import { acceptsIndependently } from './independent-verifier.ts';

const [release, checks, next, stranger, other] = Array.from({ length: 5 }, createSigningKey) as [
  SigningKey,
  SigningKey,
  SigningKey,
  SigningKey,
  SigningKey,
];
const now = Date.parse('2026-11-30T20:00:00Z');
const day = 86_400_000;
const commit = 'c'.repeat(40);
const tree = 'd'.repeat(40);

const provenance: Statement = {
  repository: 'example/warehouse',
  repositoryId: 42,
  commit,
  tree,
  ref: 'refs/tags/v1.4.0',
  version: 'v1.4.0',
  madeAt: momentOf(now - day),
  predicateType: predicateTypes.provenance,
  predicate: { outcome: 'passed' },
};
const { version: _, ...ofCommit } = provenance;
const review: Statement = { ...ofCommit, ref: 'refs/heads/main', predicateType: predicateTypes.review };
const onMergeCommit: Statement = {
  ...review,
  commit: 'e'.repeat(40),
  pullRequest: 17,
  ref: 'refs/pull/17/merge',
};

const keys: readonly (TrustedKey & SigningKey)[] = [
  { ...release, name: 'release', from: now - 30 * day, until: now + 30 * day, revoked: now - day / 2 },
  { ...checks, name: 'checks', kinds: ['review', 'tests', 'diff'] satisfies EvidenceKind[] },
  { ...next, name: 'next release' },
];
const expected = {
  repository: 'example/warehouse',
  repositoryId: 42,
  commit,
  tree,
  version: 'v1.4.0',
  isRefAllowed: (ref: string) => ref === 'refs/tags/v1.4.0',
  now,
};
const trust = { keys, elsewhere: new Map([[other.id, 'the key "other" of example/other']]) };
const expectation = {
  keys: keys.map((key) => ({
    publicKey: publicKeyText(key),
    ...(key.from === undefined ? {} : { from: momentOf(key.from) }),
    ...(key.until === undefined ? {} : { until: momentOf(key.until) }),
    ...(key.revoked === undefined ? {} : { revoked: momentOf(key.revoked) }),
    ...(key.kinds === undefined ? {} : { kinds: key.kinds }),
  })),
  repositoryId: 42,
  version: 'v1.4.0',
  commit,
  tree,
  refs: ['refs/tags/v1.4.0'],
  now: momentOf(now),
  maxAgeSeconds: (10 * day) / 1000,
};

const signed = (statement: Statement, ...by: SigningKey[]) => signEnvelope(encodeStatement(statement), by);
const good = signed(provenance, release);

/** The envelope with another payload and its old signature. */
function tampered(change: (payload: string) => string): string {
  const { payload, ...rest } = JSON.parse(good) as { payload: string };
  return JSON.stringify({
    ...rest,
    payload: Buffer.from(change(Buffer.from(payload, 'base64').toString())).toString('base64'),
  });
}

function independently(text: string): boolean {
  try {
    return acceptsIndependently(text, expectation);
  } catch {
    return false;
  }
}

test.each<[string, string]>([
  ['provenance of the version', good],
  ['provenance by the second key of a rotation', signed(provenance, next)],
  ['provenance by both keys of a rotation', signed(provenance, release, next)],
  ['provenance whose second signature alone is trusted', signed(provenance, stranger, next)],
  ['a review of the commit', signed(review, checks)],
  ['a review of a merge commit with the same files', signed(onMergeCommit, checks)],
  ['a clock that is four minutes ahead', signed({ ...review, madeAt: momentOf(now + 240_000) }, checks)],
])('both verifiers accept %s', (_title, text) => {
  expect([verifyStatement(text, trust, expected).status, independently(text)]).toEqual(['accepted', true]);
});

const at = (ms: number): Pick<Statement, 'madeAt'> => ({ madeAt: momentOf(now + ms) });

test.each<[string, string, string]>([
  [
    'forged: another version in the payload',
    'forged',
    tampered((text) => text.replaceAll('v1.4.0', 'v1.4.1')),
  ],
  [
    'forged: another commit in the payload',
    'forged',
    tampered((text) => text.replace(commit, 'f'.repeat(40))),
  ],
  [
    'forged: the signature of another statement',
    'forged',
    good.replace(/"sig":"[^"]+"/u, /"sig":"[^"]+"/u.exec(signed(review, release))?.[0] ?? ''),
  ],
  [
    'forged: the id of a trusted key on another key’s signature',
    'forged',
    signed(provenance, { ...stranger, id: release.id }),
  ],
  ['re-signed by a stranger', 'unknown-key', signed(provenance, stranger)],
  ['a key of another repository', 'key-of-other-repository', signed(provenance, other)],
  [
    'a wrong identity: the key of the checks signs provenance',
    'key-for-other-statements',
    signed(provenance, checks),
  ],
  ['a revoked key', 'key-revoked', signed({ ...provenance, ...at(-day / 4) }, release)],
  ['a key before its time', 'key-not-valid-yet', signed({ ...provenance, ...at(-31 * day) }, release)],
  ['replayed for another version', 'other-version', signed({ ...provenance, version: 'v1.3.0' }, next)],
  ['provenance without a version', 'other-version', signed({ ...provenance, version: undefined }, next)],
  ['a review of another version', 'other-version', signed({ ...review, version: 'v1.3.0' }, checks)],
  [
    'another repository of the same name',
    'other-repository',
    signed({ ...provenance, repositoryId: 43 }, next),
  ],
  ['no id of the repository', 'other-repository', signed({ ...provenance, repositoryId: undefined }, next)],
  [
    'another commit with the same files',
    'other-commit',
    signed({ ...provenance, commit: 'a'.repeat(40) }, next),
  ],
  [
    'a review of another commit with the same files',
    'other-commit',
    signed({ ...review, commit: 'a'.repeat(40) }, checks),
  ],
  [
    'provenance of a merge commit',
    'other-commit',
    signed({ ...provenance, commit: 'a'.repeat(40), pullRequest: 17 }, next),
  ],
  [
    'a merge commit with other files',
    'other-tree',
    signed({ ...onMergeCommit, tree: 'a'.repeat(40) }, checks),
  ],
  ['a tree that is not of its commit', 'other-tree', signed({ ...provenance, tree: 'a'.repeat(40) }, next)],
  ['another ref', 'other-ref', signed({ ...provenance, ref: 'refs/heads/feature' }, next)],
  ['from the future', 'from-the-future', signed({ ...provenance, ...at(301_000) }, next)],
  [
    'another kind of fact',
    'unknown-kind',
    signed({ ...provenance, predicateType: 'urn:millrace:review:v9' }, next),
  ],
  ['truncated', 'unreadable', good.slice(0, -10)],
  ['truncated within the payload', 'unreadable', tampered((text) => text.slice(0, -10))],
  ['without a signature', 'unreadable', good.replace(/"signatures":\[.*\]/u, '"signatures":[]')],
  ['of another payload type', 'unreadable', good.replace('vnd.in-toto+json', 'json')],
  [
    'with two subjects',
    'unreadable',
    signEnvelope(
      Buffer.from(
        encodeStatement(provenance)
          .toString()
          .replace(/"subject":\[(.*?\})\]/u, '"subject":[$1,$1]'),
      ),
      [next],
    ),
  ],
])('both verifiers refuse a statement: %s', (_title, reason, text) => {
  expect(verifyStatement(text, trust, expected)).toMatchObject({ status: 'refused', reason });
  expect(independently(text)).toBe(false);
});

test('a statement whose key expired is refused, and so is one whose bytes are not canonical', () => {
  const expired = { keys: [{ ...next, name: 'next', until: now - 2 * day }] };
  expect(verifyStatement(signed(provenance, next), expired, expected)).toMatchObject({
    reason: 'key-expired',
  });
  const bytes = encodeStatement(provenance).toString();
  for (const altered of [
    ` ${bytes}`,
    bytes.replace('{"_type"', '{"_type":"","_type"'),
    bytes.replace('passed', 'pass\\u0065d'),
  ])
    expect(verifyStatement(signEnvelope(Buffer.from(altered), [next]), trust, expected)).toMatchObject({
      reason: 'unreadable',
      text: 'it is not canonical JSON',
    });
});

test('keys are read as they are written, and other keys are refused without their text', () => {
  const pem = privateKeyText(release);
  const oneLine = pem.replaceAll(/-----.*?-----|\s/gu, '');
  for (const text of [pem, oneLine]) expect(readSigningKey(text, {}).id).toBe(release.id);
  expect(readPublicKey(publicKeyText(release))?.id).toBe(release.id);
  const elsewhere = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (const text of [
    'hunter2',
    '',
    elsewhere.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  ])
    expect(() => readSigningKey(text, { input: 'evidence-key' })).toThrow(
      expect.objectContaining({
        code: 'evidence-key-invalid',
        message: expect.not.stringContaining('hunter2'),
      }),
    );
  for (const text of [
    '',
    'hunter2',
    `${publicKeyText(release)}=`,
    elsewhere.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  ])
    expect(readPublicKey(text)).toBeUndefined();
});
