import { expect, test } from 'vitest';
import { evidencePath, type EvidenceSource } from '../../../flows/evidence/evidence-files.ts';
import { type Fact, signFacts } from '../../../flows/evidence/sign-facts.ts';
import { describeUnmet, unmetRules, verifyVersion } from '../../../flows/evidence/verify-version.ts';
import { type EvidenceRule, evidenceRulesSchema } from '../../../lib/config/project/evidence-rules-schema.ts';
import type { JsonValue } from '../../../lib/core/values/canonical-json.ts';
import { createSigningKey, publicKeyText } from '../../../lib/evidence/keys.ts';
import { provenancePredicate } from '../../../lib/evidence/predicates.ts';
import { momentOf } from '../../../lib/evidence/statement.ts';
import { acceptsIndependently } from '../../lib/evidence/independent-verifier.ts';

const key = createSigningKey();
const now = Date.parse('2026-11-30T20:00:00Z');
const day = 86_400_000;
const commit = 'c'.repeat(40);
const tree = 'd'.repeat(40);
const oid = 'a'.repeat(40);
const ref = 'refs/tags/v1.4.0';
const about = { repository: 'example/warehouse', repositoryId: 42, commit, tree, ref };
const files = [{ path: 'load.orch.yaml', mode: '100644', oid }];

const provenance: Fact = {
  kind: 'provenance',
  version: 'v1.4.0',
  predicate: provenancePredicate({
    source: 'https://github.com/example/warehouse',
    ref,
    commit,
    version: 'v1.4.0',
    environment: 'test',
    project: 'p',
    workflow: 'w',
    run: 'r',
    finishedAt: momentOf(now),
    millrace: '0.2.0',
    manifest: {
      directory: '',
      files: [{ path: 'load.orch.yaml', bytes: 1, sha256: 'b'.repeat(64), mode: '100644', gitBlob: oid }],
    },
  }),
};
const tests = (more: Record<string, JsonValue> = {}): Fact => ({
  kind: 'tests',
  predicate: { outcome: 'passed', tests: { passed: 9, failed: 0, refused: 0 }, ...more },
});
const approvals = (logins: readonly string[]): Fact => ({
  kind: 'approvals',
  predicate: {
    pullRequest: 17,
    head: commit,
    author: 'ada',
    approvals: logins.map((login, id) => ({ login, id, at: momentOf(now) })),
  },
});
const snapshot: Fact = { kind: 'snapshot', version: 'v1.4.0', predicate: { anything: ['at', 'all'] } };

type Listed = Awaited<ReturnType<EvidenceSource['files']>>;

function sourceOf(
  facts: readonly Fact[],
  { at = now - day, listed = files }: { readonly at?: number; readonly listed?: Listed } = {},
): EvidenceSource {
  const signed = Object.entries(signFacts(facts, about, { key, now: at }).files);
  return {
    statements: async () => signed.map(([name, text]) => ({ name, text })),
    files: async () => listed,
  };
}

const rulesOf = (rules: unknown): readonly EvidenceRule[] => evidenceRulesSchema.parse(rules);

const verify = async (rules: unknown, source: EvidenceSource) =>
  verifyVersion(
    {
      ...about,
      version: 'v1.4.0',
      isRefAllowed: (name) => name === ref,
      now,
      trust: { keys: [{ ...key, name: 'release' }] },
      rules: rulesOf(rules),
    },
    source,
  );

test('a version with all statements meets all rules, and each says by which key', async () => {
  const facts = [
    provenance,
    snapshot,
    tests({ coverage: { covered: 4, total: 5 }, mutation: { noticed: 9, total: 10 } }),
    {
      kind: 'review',
      predicate: {
        outcome: 'passed',
        by: 'local',
        pipelines: 1,
        findings: { error: 0, warning: 2, notice: 0 },
      },
    },
    {
      kind: 'diff',
      predicate: {
        outcome: 'passed',
        base: commit,
        tests: 1,
        notCompared: 0,
        tables: 1,
        rows: { added: 1, removed: 0, changed: 3 },
      },
    },
    approvals(['grace', 'ada']),
  ] satisfies Fact[];
  const result = await verify(
    ['provenance', 'snapshot', 'review', 'diff', { tests: { coverage: 80, mutation: 90 } }, 'approvals'],
    sourceOf(facts),
  );
  expect(result.rules.filter(({ isMet }) => !isMet)).toEqual([]);
  expect(result.rules).toHaveLength(6);
  expect(new Set(result.statements.map(({ status, key: by }) => [status, by].join()))).toEqual(
    new Set(['accepted,release']),
  );
});

test.each<[string, unknown, EvidenceSource, string]>([
  ['no statement', ['review'], sourceOf([]), 'review (there is no statement)'],
  [
    'a stale statement',
    [{ provenance: { 'max-age': '12h' } }],
    sourceOf([provenance]),
    'provenance (the statement is from 2026-11-29T20:00:00Z, and it must not be older than 12 h)',
  ],
  [
    'too little coverage',
    [{ tests: { coverage: 80 } }],
    sourceOf([tests({ coverage: { covered: 799, total: 1000 } })]),
    'tests (the coverage is 799 of 1000, and 80 % are required)',
  ],
  [
    'no coverage',
    [{ tests: { coverage: 1 } }],
    sourceOf([tests()]),
    'tests (the statement does not contain the coverage)',
  ],
  [
    'coverage of nothing',
    [{ tests: { coverage: 0 } }],
    sourceOf([tests({ coverage: { covered: 0, total: 0 } })]),
    'tests (the coverage is 0 of 0, and 0 % are required)',
  ],
  ['tests that failed', ['tests'], sourceOf([tests({ outcome: 'failed' })]), 'tests (the tests failed)'],
  [
    'an approval by the author',
    ['approvals'],
    sourceOf([approvals(['Ada'])]),
    'approvals (pull request 17 has 0 approvals, and 1 is required)',
  ],
  [
    'too few approvals',
    [{ approvals: { count: 2 } }],
    sourceOf([approvals(['grace'])]),
    'approvals (pull request 17 has 1 approval, and 2 are required)',
  ],
  [
    'another blob in the commit',
    ['provenance'],
    sourceOf([provenance], { listed: [{ path: 'load.orch.yaml', mode: '100644', oid: 'e'.repeat(40) }] }),
    'provenance (its manifest lists load.orch.yaml with another content than the commit)',
  ],
  [
    'a truncated list of files',
    ['provenance'],
    sourceOf([provenance], { listed: 'truncated' }),
    'provenance (the files of the commit cannot be compared, because their list is truncated)',
  ],
  [
    'a truncated list of statements',
    ['provenance'],
    { ...sourceOf([provenance]), statements: async () => 'truncated' },
    'provenance (the list of the statements is truncated)',
  ],
  [
    'a statement that is too large',
    ['review'],
    { ...sourceOf([]), statements: async () => [{ name: 'a', text: undefined }] },
    'review (the statement is refused: it is too large)',
  ],
  [
    'a predicate of another form',
    ['tests'],
    sourceOf([{ kind: 'tests', predicate: {} }]),
    'tests (the predicate of the statement cannot be read)',
  ],
])('a rule is not met by %s', async (_title, rules, source, text) => {
  const result = await verify(rules, source);
  expect(describeUnmet(unmetRules(result, 'warn'))).toBe(text);
});

test('of several statements of a kind the newest counts, and a refused one takes nothing away', async () => {
  const failed = signFacts([tests({ outcome: 'failed' })], about, { key, now: now - 2 * day }).files;
  const passed = signFacts([tests()], about, { key, now: now - day }).files;
  const stranger = signFacts([tests({ outcome: 'failed' })], about, { key: createSigningKey(), now }).files;
  const of = (...all: Readonly<Record<string, string>>[]): EvidenceSource => ({
    statements: async () => all.flatMap((one) => Object.entries(one).map(([name, text]) => ({ name, text }))),
    files: async () => files,
  });
  const met = await verify(['tests'], of(failed, passed, stranger));
  expect(met.rules[0]?.isMet).toBe(true);
  expect(met.statements.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'refused']);
  const later = signFacts([tests({ outcome: 'failed' })], about, { key, now }).files;
  expect((await verify(['tests'], of(passed, later))).rules[0]?.text).toBe('the tests failed');
});

test('the independent verifier refuses a stale statement, too, and knows the folder of a statement', () => {
  const [[path, text] = ['', '']] = Object.entries(
    signFacts([provenance], about, { key, now: now - 2 * day }).files,
  );
  const expectation = {
    keys: [{ publicKey: publicKeyText(key) }],
    repositoryId: 42,
    version: 'v1.4.0',
    commit,
    tree,
    refs: [ref],
    now: momentOf(now),
  };
  expect(acceptsIndependently(text, { ...expectation, maxAgeSeconds: (3 * day) / 1000 })).toBe(true);
  expect(acceptsIndependently(text, { ...expectation, maxAgeSeconds: day / 1000 })).toBe(false);
  expect(path).toBe(evidencePath(tree, 'provenance', text));
  expect(path).toMatch(/^statements\/dd\/d{40}\/provenance-[0-9a-f]{32}\.json$/u);
});

test('rules of two files become the stricter of both, and a rule names exactly one kind', () => {
  expect(
    rulesOf([
      'review',
      { review: { mode: 'require', 'max-age': '7d' } },
      { tests: { coverage: 80 } },
      { tests: { coverage: 70.5, mutation: 50 } },
    ]),
  ).toEqual([
    { kind: 'review', mode: 'require', maxAgeMs: 7 * day },
    { kind: 'tests', mode: 'warn', maxAgeMs: 90 * day, coverage: 80, mutation: 50 },
  ]);
  for (const wrong of [
    ['proof'],
    [{}],
    [{ review: {}, tests: {} }],
    [{ tests: { coverage: 101 } }],
    [{ review: { coverage: 1 } }],
  ])
    expect(evidenceRulesSchema.safeParse(wrong).success).toBe(false);
});
