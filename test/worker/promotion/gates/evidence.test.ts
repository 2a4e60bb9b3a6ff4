import { expect, test } from 'vitest';
import type { Fact } from '../../../../flows/evidence/sign-facts.ts';
import {
  type EvidenceRule,
  evidenceRulesSchema,
} from '../../../../lib/config/project/evidence-rules-schema.ts';
import { createSigningKey, publicKeyText, type SigningKey } from '../../../../lib/evidence/keys.ts';
import { provenancePredicate } from '../../../../lib/evidence/predicates.ts';
import { momentOf } from '../../../../lib/evidence/statement.ts';
import { testRedis } from '../../../environment/redis.ts';
import { repositoryName } from '../../../environment/worker/worker-environment.ts';
import { approvers, type OneLane, oneLane } from './one-lane.ts';
import { storeStatements } from './store-statements.ts';

const redis = testRedis();
const key = createSigningKey();
const start = Date.UTC(2031, 0, 1, 12);
const policy = `${approvers}    evidence: { keys: [{ name: release, public-key: ${publicKeyText(key)} }] }
`;

const open = async (rules: unknown, more = ''): Promise<OneLane> => {
  const evidence: readonly EvidenceRule[] = evidenceRulesSchema.parse(rules);
  return oneLane(redis, { policy: `${policy}${more}`, start, gates: { evidence } });
};

const passed: Fact = {
  kind: 'review',
  predicate: { outcome: 'passed', by: 'local', pipelines: 1, findings: { error: 0, warning: 0, notice: 0 } },
};

/** Puts statements about the commit of a version in place of all others. */
const store = async (
  lane: OneLane,
  version: string,
  facts: readonly Fact[],
  { by = key, repository, at = start }: { by?: SigningKey; repository?: number; at?: number } = {},
) => storeStatements(lane, { ref: `refs/tags/${version}` }, facts, { by, repository, at });

/** The provenance of a version with the files of its commit. */
async function provenance(lane: OneLane, version: string, named = version): Promise<Fact> {
  const { git } = lane.env.github.repository(repositoryName);
  const ref = `refs/tags/${version}`;
  const commit = (await git.commit(ref)) ?? '';
  const list = (await git.git('ls-tree', '-r', commit)).trim().split('\n');
  const files = list.map((line) => {
    const [, mode = '', gitBlob = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/u.exec(line) ?? [];
    return { path, bytes: 1, sha256: 'b'.repeat(64), mode, gitBlob };
  });
  const manifest = { directory: '', files };
  const run = { source: 's', project: 'p', workflow: 'w', run: 'r', environment: 'dev', millrace: '0' };
  const of = { ref, commit, version: named, finishedAt: momentOf(start) };
  return { kind: 'provenance', version: named, predicate: provenancePredicate({ ...run, ...of, manifest }) };
}

const events = async (lane: OneLane, promotion: string) =>
  (await lane.ports.store.history({ promotion })).map(({ what }) => what);

test('a promotion waits for required evidence, says why each statement does not count, and then passes', async () => {
  const lane = await open([
    { provenance: { mode: 'require' } },
    { review: { mode: 'require', 'max-age': '1d' } },
  ]);
  const promotion = await lane.push('v1.0.0');
  const text = async () => (await lane.advance(promotion)).report.text;
  expect(await text()).toBe(
    'Waiting for evidence: provenance (there is no statement); review (there is no statement)',
  );
  const good = await provenance(lane, 'v1.0.0');
  await store(lane, 'v1.0.0', [good, passed], { by: createSigningKey() });
  expect(await text()).toMatch(
    /provenance \(the statement is refused: it is signed with the key .* is not trusted\)/u,
  );
  await store(lane, 'v1.0.0', [good, passed], { repository: 99 });
  expect(await text()).toContain('it is about the repository');
  await store(lane, 'v1.0.0', [await provenance(lane, 'v1.0.0', 'v0.9.0'), passed]);
  expect(await text()).toBe(
    'Waiting for evidence: provenance (the statement is refused: it is about the version v0.9.0)',
  );
  await store(lane, 'v1.0.0', [good, passed], { at: start - 2 * 86_400_000 });
  expect(await text()).toMatch(
    /^Waiting for evidence: review \(the statement is from .* must not be older than 1 d\)$/u,
  );
  await store(lane, 'v1.0.0', [good, passed], { at: start + 3_600_000 });
  expect(await text()).toContain('which is in the future');
  expect(lane.promotions()).toBe(0);
  await store(lane, 'v1.0.0', [good, passed]);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  expect(lane.promotions()).toBe(1);
  expect(await events(lane, promotion)).toEqual(
    expect.arrayContaining(['waits-for-evidence', 'evidence-verified']),
  );
});

test('a truncated list of the commit’s files, and a GitHub that does not answer, stop the promotion', async () => {
  const lane = await open([{ provenance: { mode: 'require' } }]);
  const promotion = await lane.push('v1.0.0');
  await store(lane, 'v1.0.0', [await provenance(lane, 'v1.0.0')]);
  const truncated = { status: 200, body: { sha: 'a', truncated: true, tree: [] } };
  lane.env.github.interfere(({ path }) => (path.includes('/git/trees/') ? truncated : undefined));
  expect((await lane.advance(promotion)).report.text).toContain('because their list is truncated');
  lane.env.github.interfere(({ path }) =>
    path.includes('/contents/statements') ? { status: 502, body: {} } : undefined,
  );
  expect((await lane.advance(promotion)).report.text).toContain('the evidence could not be read');
  lane.env.github.interfere(undefined);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('a version from before evidence is promoted where a rule only warns, and its history says so', async () => {
  const lane = await open(['provenance', 'review']);
  const promotion = await lane.push('v1.0.0');
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  const missing = (await lane.ports.store.history({ promotion })).find(
    ({ what }) => what === 'evidence-missing',
  );
  expect(JSON.parse(missing?.data ?? '')).toMatchObject({
    unmet: 'provenance (there is no statement); review (there is no statement)',
  });
});

test('an admin passes the evidence of one promotion, with a reason that history, audit and export keep', async () => {
  const lane = await open([{ review: { mode: 'require' } }]);
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  expect(await lane.ask('ada', 'GET', `promotions/${promotion}`)).toMatchObject({
    body: { waitsFor: 'evidence', evidencePass: null },
  });
  const seen = { commit: task.commit, version: 'v1.0.0' };
  const reason = 'the outage of today';
  const pass = async (as: string, body: unknown) =>
    lane.ask(as, 'POST', `promotions/${promotion}/pass-evidence`, body);
  expect(await pass('ada', { ...seen, reason })).toMatchObject({ status: 403 });
  expect(await pass('root', seen)).toMatchObject({ status: 400 });
  expect(await pass('root', { ...seen, version: 'v2', reason })).toMatchObject({ status: 409 });
  expect(lane.promotions()).toBe(0);
  expect(await pass('root', { ...seen, reason })).toMatchObject({ status: 200 });
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'passed',
    evidencePass: { by: 'root', reason },
  });
  const history = await lane.ports.store.history({ promotion });
  const passedBy = history.find(({ what }) => what === 'evidence-passed');
  expect(JSON.parse(passedBy?.data ?? '')).toMatchObject({
    by: 'root',
    reason,
    unmet: 'review (there is no statement)',
  });
  expect(await lane.ask('ada', 'GET', `audit?promotion=${promotion}`)).toMatchObject({
    body: {
      entries: [{ by: 'root', act: 'pass-evidence', data: expect.stringContaining(reason) as string }],
    },
  });
  const { body: text } = await lane.ask('root', 'GET', 'export');
  const lines = String(text).trimEnd().split('\n');
  const exported = lines.map((line) => JSON.parse(line) as { readonly [field: string]: unknown });
  const at = new Date(start).toISOString();
  const data = expect.stringContaining(reason) as string;
  expect(exported.filter(({ type }) => type === 'audit')).toMatchObject([
    { by: 'root', via: 'api', act: 'pass-evidence', promotion, lane: lane.lane, at, data },
  ]);
  expect(exported.filter(({ what }) => what === 'evidence-passed')).toMatchObject([{ promotion, at, data }]);
  const next = await lane.push('v1.1.0');
  expect((await lane.advance(next)).report.text).toContain('Waiting for evidence');
});

test('the way back to a version that the target has never waits for evidence', async () => {
  // Also for the promotion that an operator requests, whose lane is the one of millrace.yaml.
  const lane = await open([], '    gates: { test: { evidence: [{ review: { mode: require } }] } }\n');
  for (const version of ['v1.0.0', 'v1.1.0']) {
    const promotion = await lane.push(version);
    expect((await lane.advance(promotion)).report.text).toContain('Waiting for evidence: review');
    await store(lane, version, [passed]);
    expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  }
  const { git } = lane.env.github.repository(repositoryName);
  await git.git('update-ref', '-d', 'refs/heads/millrace-evidence');
  const path = `lanes/${encodeURIComponent(lane.lane)}`;
  const back = await lane.ask('root', 'POST', `${path}/promote`, {
    version: 'v1.0.0',
    reason: 'wrong totals',
  });
  expect(back).toMatchObject({ status: 202 });
  const { promotion = '' } = back.body as { promotion?: string };
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed', version: 'v1.0.0' });
});
