import { expect, test } from 'vitest';
import { takeSnapshot } from '../../../../flows/data-graph/snapshot/take-snapshot.ts';
import type { Fact } from '../../../../flows/evidence/sign-facts.ts';
import { writeSnapshot } from '../../../../flows/snapshot/read-snapshot.ts';
import type { JsonValue } from '../../../../lib/core/values/canonical-json.ts';
import { createSigningKey, publicKeyText } from '../../../../lib/evidence/keys.ts';
import type { ShownPlan } from '../../../../worker/promotion/plan/shown-plan.ts';
import { planRows } from '../../../../worker/web/dashboard/parts/plan-rows.ts';
import { testFolder } from '../../../cli/tests/test-project.ts';
import { openFolder } from '../../../flows/data-graph/small-projects.ts';
import { firstFiles, secondFiles } from '../../../flows/plan/plan-environment.ts';
import { actOnCheck } from '../../../../worker/intake/ingest/act-on-check.ts';
import { decideByComment } from '../../../../worker/intake/ingest/decide-by-comment.ts';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import { planKeyOf } from '../../../../worker/promotion/plan/plan-key.ts';
import { approveIdentifier, reduceCheck } from '../../../../worker/records/check-event.ts';
import { reduceComment } from '../../../../worker/records/comment-event.ts';
import { planId } from '../../../../worker/records/promotion-plan.ts';
import { html } from '../../../../lib/html/markup.ts';
import { testRedis } from '../../../environment/redis.ts';
import { checkRequest } from '../../../environment/worker/check-request.ts';
import { commentOn } from '../../../environment/worker/comment-on.ts';
import { projectId, repositoryName } from '../../../environment/worker/worker-environment.ts';
import { checkContent } from '../../../../worker/reporting/github/channels/check-content.ts';
import { actPage } from '../../../../worker/web/dashboard/acts/act-page.ts';
import { acts } from '../../../../worker/web/dashboard/acts/acts.ts';
import { promotionPage } from '../../../../worker/web/dashboard/pages/promotion-page.ts';
import { approvers, type LaneOptions, oneLane, type OneLane, person } from '../gates/one-lane.ts';
import { storeStatements } from '../gates/store-statements.ts';
import { approved, headOf, trialLane } from './plan-trials.ts';
import { setOverride } from './platform-changes.ts';

const redis = testRedis();

/** A promotion of v1.1.0 that waits for approval; v1.0.0 is live. */
async function waiting(options: LaneOptions = {}) {
  const lane = await trialLane(redis, options);
  await lane.advance(await approved(lane, 'v1.0.0'));
  const commit = await headOf(lane);
  await lane.env.publish('v1.1.0', commit);
  const id = await lane.push('v1.1.0', { commit }, { published: true });
  const { plan } = await lane.advance(id);
  const seen = { commit, version: 'v1.1.0' };
  const approve = (digest?: string, as = 'ada') =>
    lane.ask(as, 'POST', `promotions/${id}/approve`, { ...seen, plan: digest });
  return { ...lane, id, commit, digest: plan?.digest ?? '', approve };
}

const promoteTo = async ({ env }: OneLane, versionName: string) => {
  const environments = { sourceEnvironmentName: 'dev', targetEnvironmentName: 'test' };
  return env.client.artifacts.promote({ projectId, ...environments, versionName });
};

test('the API shows the plan of a promotion that waits, without a value of a variable, and Redis has none', async () => {
  const lane = await waiting();
  await setOverride(lane.env, 'b_limit', 424_242);
  await lane.clock.advance(300_000);
  await lane.advance(lane.id);
  const { body } = await lane.ask('ada', 'GET', `promotions/${lane.id}`);
  expect(body).toMatchObject({
    plan: {
      id: expect.stringMatching(/^[0-9a-f]{12}$/u),
      live: { version: 'v1.0.0', commit: lane.commit },
      wanted: { version: 'v1.1.0', commit: lane.commit, enabled: true },
      wayBack: 'v1.0.0',
      variables: {
        compared: 3,
        notCompared: 0,
        changedSince: { version: 'v1.0.0', compared: 3, count: 1, names: ['b_limit'] },
        differences: ['a_limit', 'b_limit', 'c_limit'].map((name) => ({
          name,
          from: 'default value',
          to: 'own value',
        })),
      },
      unknown: [
        'The contents of the versions are not compared: worker.yaml lists no key that signs evidence of this repository.',
      ],
      changes: [{ because: 'the variable b_limit has another value in test' }],
    },
  });
  expect(JSON.stringify(body)).not.toContain('424242');
  const stored = await redis.connect().hgetall(`${lane.env.prefix}:promotion:${lane.id}`);
  expect(JSON.stringify(stored)).not.toContain('424242');
});

const start = Date.UTC(2031, 0, 1, 12);
const key = createSigningKey();
const evidence = `${approvers}    evidence: { keys: [{ name: release, public-key: ${publicKeyText(key)} }] }\n`;

/** The snapshots of both versions, as facts to sign. */
async function snapshotFacts(): Promise<readonly Fact[]> {
  const { signal } = new AbortController();
  return Promise.all(
    [firstFiles, secondFiles].map(async (files, minor): Promise<Fact> => {
      using folder = testFolder(files);
      const snapshot = await takeSnapshot(openFolder(folder.directory, files), { columns: false, signal });
      const predicate = JSON.parse(writeSnapshot(snapshot)) as JsonValue;
      return { kind: 'snapshot', version: `v1.${minor}.0`, predicate };
    }),
  );
}

test('signed snapshots of both versions become the contents of the plan, and void what was approved before', async () => {
  const lane = await waiting({ policy: evidence, start });
  const { create } = lane.env.client.variables;
  await create({ projectId, name: 'region', type: 'TEXT', behaviour: 'SHARED', value: 'north' });
  const [live, wanted] = (await snapshotFacts()) as [Fact, Fact];
  const store = async (facts: readonly Fact[], by = key) =>
    storeStatements(lane, { ref: 'refs/tags/v1.1.0', commit: lane.commit }, facts, { by, at: start });
  const again = async () => {
    await lane.clock.advance(300_000);
    const promotion = await lane.advance(lane.id);
    const { body } = await lane.ask('ada', 'GET', `promotions/${lane.id}`);
    return { promotion, plan: (body as { plan: ShownPlan }).plan };
  };
  const unknown = async () => (await again()).plan.unknown[0];
  expect(await unknown()).toBe(
    'The contents of v1.1.0 are not known: it was published before evidence existed, or without a key.',
  );
  await store([wanted], createSigningKey());
  expect(await unknown()).toMatch(
    /^The contents of v1\.1\.0 are not known: its snapshot is refused: it is signed with the key .* not trusted\.$/u,
  );
  await store([{ ...wanted, predicate: { format: 2 } }]);
  expect(await unknown()).toContain('its snapshot is refused: The snapshot has the format 2');
  await store([live]);
  expect(await unknown()).toBe(
    'The contents of v1.1.0 are not known: its snapshot is refused: it is about the version v1.0.0.',
  );
  const before = (await again()).plan;
  expect(before).toMatchObject({ snapshots: { wanted: null }, contents: null, variables: { compared: 4 } });
  expect(await lane.approve(before.digest)).toMatchObject({ status: 200 });

  await store([live, wanted]);
  const from = lane.env.github.requests.length;
  const { promotion, plan } = await again();
  expect(promotion.report.text).toMatch(
    /the approval of ada is void: the snapshot of v1\.1\.0 became known$/u,
  );
  // The repository, a list for each version, and the new statement: the commit and the other statement are known.
  const reads = lane.env.github.requests.slice(from).filter(({ method }) => method === 'GET');
  expect(reads.length).toBeLessThanOrEqual(4);
  expect(plan).toMatchObject({
    contents: {
      changed: { count: expect.any(Number) as number },
      entryPoints: { first: expect.any(Array) as [] },
    },
    variables: { compared: 1, changedSince: { compared: 0 } },
    unknown: [
      'Columns are not known: the snapshots of v1.1.0 and v1.0.0 have calls and names of tables only.',
    ],
  });
  const titles = ['Changed pipelines', 'Affected entry points'];
  expect(plan.parts.map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
  const { text: page } =
    html`${planRows(plan, { webUrl: 'https://host', repository: repositoryName }).map(([, row]) => row)}`;
  const check = checkContent(
    { promotion, seq: '1', state: 'pending', text: '' },
    { events: [], address: undefined, needsApproval: true, webUrl: 'https://host' },
  );
  for (const title of titles) expect(check.summary).toContain(`${title}:\n  - `);
  expect(page.replaceAll('<wbr>', '')).toContain(plan.parts[0]?.items[0]);

  // Without GitHub, what the plan says about these versions stays, and so does the approval.
  expect(await lane.approve(plan.digest, 'grace')).toMatchObject({ status: 200 });
  lane.env.github.interfere(({ path }) =>
    path.includes('/contents/statements') ? { status: 502, body: {} } : undefined,
  );
  expect(await lane.advance(lane.id)).toMatchObject({ outcome: 'passed' });
});

test('the plan lists the commits with pull requests and who approved them, once, and says what it could not read', async () => {
  const lane = await trialLane(redis);
  await lane.advance(await approved(lane, 'v1.0.0'));
  const { env, github } = lane;
  const repository = env.github.repository(repositoryName);
  await env.repository.commit('main', { 'notes.txt': '1' }, { message: 'Claims a review (#7)' });
  const commit = await env.repository.commit('main', { 'notes.txt': '2' }, { message: 'Rename X (#1)' });
  const number = env.github.openPull(repositoryName, { head: 'main', base: 'main' });
  const submittedAt = '2026-01-01T00:00:00Z';
  const reviews = [
    { login: 'grace', id: 2, state: 'APPROVED', commit, submittedAt },
    { login: 'ada', id: 3, state: 'CHANGES_REQUESTED', commit, submittedAt },
  ];
  Object.assign(repository.pulls[0] ?? {}, { mergeCommit: commit, mergedAt: submittedAt, reviews });
  await env.publish('v1.1.0', commit);
  env.github.interfere(({ path }) => (path.includes('/compare/') ? { status: 502, body: {} } : undefined));
  const id = await lane.push('v1.1.0', { commit }, { published: true });
  const unread = (await lane.advance(id)).plan;
  expect(unread?.commitsUnknown).toContain('are not known, because GitHub could not be read');
  env.github.interfere(undefined);
  const again = async () => {
    await lane.clock.advance(300_000);
    const from = env.github.requests.length;
    const { plan } = await lane.advance(id);
    return {
      plan,
      requests: env.github.requests.slice(from).filter(({ method }) => method === 'GET').length,
    };
  };
  const { plan, requests } = await again();
  expect(plan).toMatchObject({ digest: unread?.digest, commits: { added: 2, removed: 0 } });
  const { body } = await lane.ask('ada', 'GET', `promotions/${id}`);
  const [part] = (body as { plan: ShownPlan }).plan.parts;
  expect(part).toMatchObject({ title: 'Commits', more: 0 });
  expect(part?.items.map((item) => item.slice(13))).toEqual([
    expect.stringMatching(new RegExp(`^Rename X \\(#1\\), by .*, #${number} approved by grace$`, 'u')),
    expect.stringMatching(/^Claims a review \(#7\), by [^#]*$/u),
  ]);
  // The repository, the comparison, and two for the pull request, one for what is none.
  expect(requests).toBe(5);
  expect((await again()).requests).toBe(0);
  const head = await headOf(lane);
  expect(await github.commitsBetween(repositoryName, `${head}~2`, head, 1)).toMatchObject({
    added: 2,
    newest: [{ commit: head, subject: 'Rename X (#1)' }],
  });
});

test('an approval counts for its plan only: it is void when another version goes live, and counts again when that is undone', async () => {
  const lane = await waiting();
  await lane.env.publish('v0.9.1', lane.commit);
  expect(await lane.approve(lane.digest)).toMatchObject({ status: 200, body: { plan: lane.digest } });
  await promoteTo(lane, 'v0.9.1');
  const waits = await lane.advance(lane.id);
  expect(waits.report.text).toMatch(
    /^Waiting for 1 approval \(ada, grace may approve\); the approval of ada is void: v0\.9\.1 went live in test at [\dT:-]+Z$/u,
  );
  expect(lane.promotions()).toBe(1);
  expect(await lane.approve(lane.digest, 'grace')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('changed since it was shown: v0.9.1 went live in test') },
  });
  const name = { projectId, environmentName: 'test', versionName: 'v0.9.1' };
  await lane.env.client.artifacts.setEnabled({ ...name, enabled: false });
  await lane.clock.advance(300_000);
  expect(await lane.advance(lane.id)).toMatchObject({ outcome: 'passed' });
  const history = await lane.ports.store.history({ promotion: lane.id });
  expect(history.filter(({ what }) => what === 'approved' || what === 'intend-promote')).toMatchObject([
    { data: expect.stringContaining(lane.digest) },
    {},
  ]);
});

test('changes that cancel each other leave the plan and its approval, also at another worker', async () => {
  const lane = await waiting();
  await lane.env.publish('v0.9.1', lane.commit);
  expect(await lane.approve(lane.digest)).toMatchObject({ status: 200 });
  await promoteTo(lane, 'v0.9.1');
  await setOverride(lane.env, 'b_limit', 8);
  const name = { projectId, environmentName: 'test', versionName: 'v0.9.1' };
  await lane.env.client.artifacts.setEnabled({ ...name, enabled: false });
  await setOverride(lane.env, 'b_limit', 7);
  await lane.clock.advance(300_000);
  await advancePromotion(lane.id, lane.openWorker(), new AbortController().signal);
  const { outcome, plan } = (await lane.ports.store.promotion(lane.id)) ?? expect.unreachable();
  expect({ outcome, digest: plan?.digest, changes: plan?.changes }).toEqual({
    outcome: 'passed',
    digest: lane.digest,
    changes: [],
  });
  const history = await lane.ports.store.history({ promotion: lane.id });
  expect(history.map(({ what }) => what)).not.toContain('plan-changed');
});

test('an approval without a plan counts for any, and the API and the page of the promotion say so', async () => {
  const lane = await waiting();
  await lane.env.publish('v0.9.1', lane.commit);
  expect(await lane.approve()).toMatchObject({ status: 200, body: { plan: null } });
  expect(await lane.ask('ada', 'GET', `promotions/${lane.id}`)).toMatchObject({
    body: { approvals: { given: ['ada'], withoutPlan: ['ada'], void: [] } },
  });
  await promoteTo(lane, 'v0.9.1');
  expect(await lane.advance(lane.id)).toMatchObject({ outcome: 'passed' });
});

test('what went live between the last read and the call is found after it, also if the answer was lost, and the lane is held', async () => {
  const lane = await waiting();
  await lane.env.publish('v0.9.1', lane.commit);
  await lane.approve(lane.digest);
  lane.env.wire.interfere(async ({ method }) => {
    if (method !== 'POST') return undefined;
    await promoteTo(lane, 'v0.9.1');
    return 'lose';
  });
  let promotion = await lane.advance(lane.id);
  for (let i = 0; i < 6 && promotion.state !== 'finished'; i += 1) promotion = await lane.advance(lane.id);
  expect(promotion).toMatchObject({
    outcome: 'error',
    message: expect.stringMatching(
      /^v1\.1\.0 was promoted to test, but not as planned: v0\.9\.1 went live in test at .*; nothing was verified$/u,
    ),
  });
  expect((await lane.ports.store.lane(lane.lane))?.holds).toMatchObject([{ cause: 'plan-changed' }]);
});

test('a version that went live after the effect of a worker that was stopped at the call is found, and the lane is held', async () => {
  const lane = await waiting();
  await lane.env.publish('v0.9.1', lane.commit);
  await lane.approve(lane.digest);
  const stopped = new AbortController();
  lane.env.wire.interfere(async ({ method }) => {
    if (method !== 'POST') return undefined;
    // What the request asks for happens, and the worker does not hear of it.
    await promoteTo(lane, 'v1.1.0');
    stopped.abort();
    return 'drop';
  });
  await expect(advancePromotion(lane.id, lane.ports, stopped.signal)).rejects.toThrow('aborted');
  lane.env.wire.interfere(undefined);
  expect(await lane.ports.store.promotion(lane.id)).toMatchObject({
    state: 'active',
    intent: { effect: 'promote' },
  });
  await promoteTo(lane, 'v0.9.1');
  expect(await lane.advance(lane.id)).toMatchObject({
    outcome: 'error',
    message: expect.stringMatching(
      /^v1\.1\.0 was promoted to test, but not as planned: v0\.9\.1 went live in test at /u,
    ),
  });
  expect((await lane.ports.store.lane(lane.lane))?.holds).toMatchObject([{ cause: 'plan-changed' }]);
});

test('a comment holds for the plan that the pull request showed before it, and names another with plan:', async () => {
  const lane = await waiting();
  const repository = lane.env.github.repository(repositoryName);
  repository.collaborators.set('ada', { id: 11, login: 'ada', permission: 'write' });
  await lane.env.repository.commit('feature', { 'notes.txt': 'feature' }, { from: 'main' });
  lane.env.github.openPull(repositoryName, { head: 'feature', base: 'main' });
  const [pull] = repository.pulls;
  if (pull !== undefined) pull.mergeCommit = lane.commit;
  const comment = async (text: string) => {
    const now = lane.clock.now();
    const body = commentOn({ text, createdAt: new Date(now).toISOString() });
    const event = reduceComment(body, { delivery: 'd', digest: 'x', receivedAt: now });
    if ('ignored' in event) return event.ignored;
    return (await decideByComment(event, { github: lane.github, ports: lane.ports })).text;
  };
  await setOverride(lane.env, 'b_limit', 8);
  await lane.clock.advance(300_000);
  const { plan, report } = await lane.advance(lane.id);
  const digest = plan?.digest ?? '';
  expect(digest).not.toBe(lane.digest);
  // GitHub shows the plan before still.
  expect(await comment('/millrace approve')).toBe(
    'nothing was done: the pull request did not show the plan yet when the comment was written (the variable b_limit has another value in test); look at the plan, and comment again',
  );
  expect(await comment(`/millrace approve plan:${planId(lane.digest)}`)).toBe(
    `nothing was done: the plan of the promotion is not plan:${planId(lane.digest)} any more. Look at the new plan, and decide again`,
  );
  expect(await comment('/millrace approve to-test plan:12')).toMatch(
    /contains no command that the worker knows/u,
  );
  // GitHub shows the new plan, and then an answer is being written that shows the plan before: nobody knows which one an author sees.
  await lane.ports.store.notePlanShown(lane.id, digest, true);
  await lane.ports.store.notePlanShown(lane.id, lane.digest, false);
  expect(await comment('/millrace approve')).toMatch(/did not show the plan yet/u);
  // Also if the check run shows the new plan before the answer is written.
  const firstLease = lane.clock.now() + 1_000;
  await lane.ports.store.takeReport(lane.id, firstLease);
  await lane.ports.store.returnReport(lane.id, String(report.seq), firstLease, digest);
  expect(await comment('/millrace approve')).toMatch(/did not show the plan yet/u);
  await lane.ports.store.notePlanShown(lane.id, lane.digest, true);
  expect(await comment('/millrace approve')).toMatch(/did not show the plan yet/u);
  await lane.ports.store.returnReport(lane.id, String(report.seq), 0, digest);
  const lease = lane.clock.now() + 1_000;
  await lane.ports.store.takeReport(lane.id, lease);
  await lane.ports.store.returnReport(lane.id, String(report.seq + 1), lease, digest);
  await lane.clock.advance(1_000);
  expect(await comment('/millrace approve')).toBe(`approved promotion ${lane.id}`);
  expect((await lane.ports.store.promotion(lane.id))?.approvals).toMatchObject([{ plan: digest }]);
});

test('the button of a check run has the plan in its identifier, and an old one approves nothing', async () => {
  const lane = await waiting();
  lane.env.github
    .repository(repositoryName)
    .collaborators.set('ada', { id: 11, login: 'ada', permission: 'write' });
  const click = async (digest: string) => {
    const identifier = approveIdentifier('v1.1.0', { digest });
    expect(identifier).toBe(`approve-${planId(digest)}`);
    const body = checkRequest({
      commit: lane.commit,
      promotion: lane.id,
      action: 'requested_action',
      identifier,
    });
    const event = reduceCheck(body, { delivery: 'd', digest: 'x', receivedAt: lane.clock.now() });
    if ('ignored' in event) return event.ignored;
    const showAgain = async () => undefined;
    return actOnCheck(event, { github: lane.github, ports: lane.ports, showAgain });
  };
  expect(await click('0'.repeat(64))).toMatch(/has another version or another plan/u);
  expect(await click(lane.digest)).toBe(`approved promotion ${lane.id}`);
  expect(await lane.advance(lane.id)).toMatchObject({ outcome: 'passed' });
});

test('the check run, the page of the promotion and the page of the approval show the plan, and never a value', async () => {
  const lane = await waiting();
  const promotion = (await lane.ports.store.promotion(lane.id)) ?? expect.unreachable();
  const id = planId(lane.digest);
  const check = checkContent(
    { promotion, seq: '1', state: 'pending', text: promotion.report.text },
    { events: [], address: undefined, needsApproval: true, webUrl: 'https://host' },
  );
  const visit = {
    operator: person('ada'),
    csrf: 'c',
    ports: lane.ports,
    id: lane.id,
    query: new URLSearchParams(),
    address: '/',
  };
  const approveAct = acts.find(({ name }) => name === 'approve') ?? expect.unreachable();
  const confirm = await actPage(approveAct, visit);
  const page = await promotionPage.show(visit);
  expect(check.actions).toMatchObject([{ identifier: `approve-${id}` }, { label: 'Reject' }]);
  expect(check.summary).toContain(`\`/millrace approve to-test plan:${id}\``);
  expect(confirm?.text).toContain(`<input type="hidden" name="plan" value="${lane.digest}" />`);
  const texts = [check.summary, confirm?.text ?? '', html`${page?.main}`.text];
  for (const text of texts.map((shown) => shown.replaceAll('<wbr>', '').replaceAll('&#95;', '_'))) {
    expect(text).toMatch(/v1\.0\.0 \([0-9a-f]{12}\) → v1\.1\.0 \([0-9a-f]{12}\)/u);
    expect(text).toContain('b_limit (default value, then own value)');
    expect(text).toContain('worker.yaml lists no key');
  }
});

test('a request to go back is approved with its plan, and its own effects do not change the plan', async () => {
  const lane = await waiting();
  await lane.approve(lane.digest);
  await lane.advance(lane.id);
  const { body } = await lane.ask('root', 'POST', `lanes/${encodeURIComponent(lane.lane)}/promote`, {
    version: 'v1.0.0',
    reason: 'bad figures',
  });
  const { promotion } = body as { promotion: string };
  const { plan, task } = await lane.advance(promotion);
  expect(plan?.facts).toMatchObject({ live: { version: 'v1.1.0' }, version: 'v1.0.0' });
  const seen = { commit: task.commit, version: 'v1.0.0', plan: plan?.digest };
  expect(await lane.ask('ada', 'POST', `promotions/${promotion}/approve`, seen)).toMatchObject({
    status: 200,
  });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  expect(await lane.env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
});

test('a plan sends its share of the rate limit at most, says what it did not compare, and nothing without approvals', async () => {
  const lane = await trialLane(redis);
  for (let i = 0; i < 30; i += 1)
    await lane.env.client.variables.create({
      projectId,
      name: `more_${i}`,
      type: 'NUMBER',
      behaviour: 'SHARED',
      value: i,
    });
  const id = await lane.push('v1.0.0');
  const { plan } = await lane.advance(id);
  // 1,000 a minute for 50 promotions at once: 20 each, three of them lists.
  expect(lane.env.wire.count('GET', '/environment-overrides')).toBe(17);
  expect(plan?.facts.variables).toHaveLength(17);
  expect(await lane.ask('ada', 'GET', `promotions/${id}`)).toMatchObject({
    body: {
      plan: {
        variables: { compared: 17, notCompared: 16 },
        unknown: expect.arrayContaining([expect.stringMatching(/^16 variables were not compared/u)]),
      },
    },
  });
  // Equal, and not read again before it is due.
  await lane.clock.advance(15_000);
  await lane.advance(id);
  expect(lane.env.wire.count('GET', '/environment-overrides')).toBe(17);

  const free = await oneLane(redis);
  const passed = await free.advance(await free.push('v1.0.0'));
  expect(passed).toMatchObject({ outcome: 'passed', plan: undefined });
  expect(free.env.wire.count('GET', '/variables')).toBe(0);
});

test('a credential that may not read variables promotes, and the plan says that they are not known', async () => {
  const lane = await trialLane(redis);
  lane.env.wire.interfere(({ path }) =>
    path.includes('/variables')
      ? {
          status: 403,
          headers: { 'content-type': 'application/json' },
          body: '{"error":"Forbidden","status":403}',
        }
      : undefined,
  );
  const id = await approved(lane, 'v1.0.0');
  expect(await lane.ask('ada', 'GET', `promotions/${id}`)).toMatchObject({
    body: {
      plan: {
        variables: null,
        unknown: expect.arrayContaining([
          'The variables are not known: the credential of the lane may not read them.',
        ]),
      },
    },
  });
  expect(await lane.advance(id)).toMatchObject({ outcome: 'passed' });
});

test('the key of values is made of the webhook secret, and stays while the secret is rotated', () => {
  const old = planKeyOf(['old']);
  expect(planKeyOf(['new', 'old'], old?.name)).toEqual(old);
  expect(planKeyOf(['new'], old?.name)?.bytes).not.toEqual(old?.bytes);
  expect(planKeyOf([''])).toBeUndefined();
});
