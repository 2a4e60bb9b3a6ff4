import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerifyReport } from '../../../flows/evidence/report.ts';
import { type Fact, signFacts } from '../../../flows/evidence/sign-facts.ts';
import type { Manifest } from '../../../lib/evidence/manifest.ts';
import { readSigningKey, type SigningKey } from '../../../lib/evidence/keys.ts';
import { provenancePredicate } from '../../../lib/evidence/predicates.ts';
import { momentOf } from '../../../lib/evidence/statement.ts';
import { openGitObjects } from '../../../local-github/git/git-objects.ts';
import { type TemporaryRepository, temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { inProcess } from '../in-process.ts';

const ref = 'refs/tags/v1.4.0';
let work: TemporaryRepository;
let folder: string;
let commit: string;
let tree: string;
let key: SigningKey;
let publicKey: string;

const run = async (...args: string[]) =>
  inProcess(args, { cwd: work.directory, env: { PATH: process.env['PATH'] ?? '' } });
const verify = async (...args: string[]) =>
  run('verify', 'v1.4.0', '--repository', 'example/warehouse', '--public-key', publicKey, ...args);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-verify-'));
  work = temporaryRepository();
  work.write('millrace.yaml', 'version: 1\n');
  work.write('load.orch.yaml', 'a: 1\n');
  commit = work.commit('A project');
  work.git('tag', 'v1.4.0');
  tree = work.git('rev-parse', 'HEAD^{tree}');
  const file = path.join(folder, 'release.key');
  const made = await run('evidence', 'keygen', '--out', file, '--json');
  publicKey = (JSON.parse(made.stdout) as { publicKey: string }).publicKey;
  key = readSigningKey(readFileSync(file, 'utf8'), {});
});
afterAll(() => {
  work[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

function provenance(gitBlob: string): Fact {
  const files: Manifest['files'] = [
    { path: 'load.orch.yaml', bytes: 5, sha256: 'b'.repeat(64), mode: '100644', gitBlob },
  ];
  const at = momentOf(Date.now());
  const manifest = { directory: '', files };
  return {
    kind: 'provenance',
    version: 'v1.4.0',
    predicate: provenancePredicate({
      source: 's',
      project: 'p',
      workflow: 'w',
      run: 'r',
      environment: 'test',
      millrace: '0',
      version: 'v1.4.0',
      finishedAt: at,
      ref,
      commit,
      manifest,
    }),
  };
}

/** Makes a branch of nothing but these statements. */
function store(...facts: readonly Fact[]): void {
  const about = { repository: 'example/warehouse', repositoryId: 42, commit, tree, ref };
  const { branch, files, message } = signFacts(facts, about, { key, now: Date.now() });
  const objects = openGitObjects(path.join(work.directory, '.git'));
  const made = objects.commit({ tree: objects.tree(undefined, files), parents: [], message, seconds: 1 });
  objects.setRef(`refs/heads/${branch}`, made);
}

test('a version from before has no evidence, and verify says so', async () => {
  const { code, stdout } = await verify();
  expect(code).toBe(1);
  expect(stdout).toContain('v1.4.0 has no evidence.');
  expect(stdout).toContain('provenance  require  not met: there is no statement');
});

test('a private key is readable by its owner only, and is never replaced', async () => {
  const file = path.join(folder, 'release.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await run('evidence', 'keygen', '--out', file);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists')]);
  expect(again.stdout + again.stderr).not.toContain('PRIVATE');
});

test('verify accepts the provenance of the commit, and refuses other keys, repositories and blobs', async () => {
  const blob = work.git('rev-parse', 'HEAD:load.orch.yaml');
  store(provenance(blob));
  const good = await verify('--json');
  expect([good.code, good.stderr]).toEqual([0, expect.stringContaining('they do not prove what is stored')]);
  const report = JSON.parse(good.stdout) as VerifyReport;
  expect(report).toMatchObject({ outcome: 'passed', commit, rules: [{ kind: 'provenance', isMet: true }] });
  const stranger = await run('evidence', 'keygen', '--out', path.join(folder, 'other.key'), '--json');
  const { publicKey: other } = JSON.parse(stranger.stdout) as { publicKey: string };
  const refused = await run('verify', 'v1.4.0', '--repository', 'example/warehouse', '--public-key', other);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('which is not trusted')]);
  const elsewhere = await verify('--repository', 'example/other');
  expect(elsewhere.stdout).toContain('it is about the repository example/warehouse (id 42)');
  store(provenance('e'.repeat(40)));
  expect((await verify()).stdout).toContain('lists load.orch.yaml with another content than the commit');
});

test('with worker.yaml, its keys and rules apply', async () => {
  store(provenance(work.git('rev-parse', 'HEAD:load.orch.yaml')), {
    kind: 'review',
    predicate: {
      outcome: 'failed',
      by: 'local',
      pipelines: 1,
      findings: { error: 1, warning: 0, notice: 0 },
    },
  });
  const file = path.join(folder, 'worker.yaml');
  const config = (mode: string, more = '') => `version: 1
credentials: { main: { base-url: https://platform.example.com, token-env: TOKEN } }
repositories:
  - id: 42
    name: example/warehouse
    projects: [3f0f2c1e-0000-4000-8000-000000000001]
    branches: [main]
    tags: ["v*"]
    environments: [prod]
    credential: main
    gates: { prod: { evidence: [provenance, { review: { mode: ${mode} } }] } }
    evidence: { keys: [{ name: release, public-key: ${publicKey}${more} }] }
`;
  const results = [];
  for (const text of [config('warn'), config('require'), config('warn', ', revoked: 2026-01-01')]) {
    writeFileSync(file, text);
    const { code, stdout } = await run(
      'verify',
      'v1.4.0',
      '--worker-config',
      file,
      '--environment',
      'prod',
      '--json',
    );
    results.push([
      code,
      (JSON.parse(stdout) as VerifyReport).rules.map(({ kind, isMet, text: why }) => [kind, isMet, why]),
    ]);
  }
  expect(results).toEqual([
    [
      0,
      [
        ['provenance', true, undefined],
        ['review', false, 'the review failed'],
      ],
    ],
    [
      1,
      [
        ['provenance', true, undefined],
        ['review', false, 'the review failed'],
      ],
    ],
    [
      0,
      [
        ['provenance', false, expect.stringContaining('is revoked from 2026-01-01')],
        ['review', false, expect.stringContaining('is revoked')],
      ],
    ],
  ]);
  writeFileSync(file, config('warn').replace(publicKey, 'hunter2'));
  const wrong = await run('verify', 'v1.4.0', '--worker-config', file);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('must be the public key that `millrace evidence keygen` prints'),
  ]);
});
