import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import { testRedis } from '../../../environment/redis.ts';
import { release } from '../../../environment/worker/lanes-at-work.ts';
import { workerFile } from '../../../environment/worker/worker-environment.ts';
import { approvers, oneLane, person } from './one-lane.ts';

const redis = testRedis();

test('a promotion waits for an approval, names the approvers, and continues once approved', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  expect((await lane.advance(promotion)).report.text).toBe('Waiting for 1 approval (ada, grace may approve)');
  expect(await lane.ask('ada', 'GET', `promotions/${promotion}`)).toMatchObject({
    body: { waitsFor: 'approval', approvals: { needed: 1, given: [], mayApprove: ['ada', 'grace'] } },
  });
  expect(await lane.approve('ada', promotion)).toMatchObject({
    status: 200,
    body: { approved: promotion, version: 'v1.0.0', approvals: { needed: 1, given: ['ada'] } },
  });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  expect(await lane.env.versions('test')).toEqual(['v1.0.0']);
  const history = await lane.ports.store.history({ promotion });
  expect(history.map(({ what }) => what)).toEqual([
    'accepted',
    'activated',
    'resolved',
    'planned',
    'waits-for-approval',
    'approved',
    'intend-promote',
    'promoted',
    'ended',
  ]);
});

test('two approvals are of two people: the same one twice is one', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 2 } });
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  expect(await lane.approve('ada', promotion)).toMatchObject({ status: 200, body: { already: false } });
  expect(await lane.approve('ada', promotion)).toMatchObject({ status: 200, body: { already: true } });
  expect(await lane.approve('ADA', promotion)).toMatchObject({ status: 200, body: { already: true } });
  expect((await lane.advance(promotion)).report.text).toBe(
    'Waiting for 1 more approval (grace may approve; ada has)',
  );
  expect(lane.promotions()).toBe(0);
  await lane.approve('grace', promotion);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('the pusher, a stranger and a viewer cannot approve, and nothing is promoted', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  expect(await lane.approve('octocat', promotion)).toMatchObject({
    status: 409,
    body: { error: 'a person who pushed or requested a version cannot approve it' },
  });
  expect(await lane.approve('mallory', promotion)).toMatchObject({ status: 403 });
  // An admin by role is not an approver by that.
  expect(await lane.approve('root', promotion)).toMatchObject({ status: 403 });
  const seen = { commit: task.commit, version: 'v1.0.0' };
  expect(
    await lane.ask(person('ada', 'viewer'), 'POST', `promotions/${promotion}/approve`, seen),
  ).toMatchObject({
    status: 403,
    body: { error: 'ada lacks the role approver' },
  });
  const elsewhere = { ...person('ada'), repositories: [42] };
  expect(await lane.ask(elsewhere, 'POST', `promotions/${promotion}/approve`, seen)).toMatchObject({
    status: 404,
  });
  expect((await lane.advance(promotion)).approvals).toEqual([]);
  expect(lane.promotions()).toBe(0);
});

test('an operator is one person with the GitHub login that pushed', async () => {
  const operators = `
operators:
  - { name: anna, github: octocat, role: approver, repositories: all, token-hash: "sha256:${'a'.repeat(64)}" }
`;
  const lane = await oneLane(redis, {
    gates: { approvals: 1 },
    policy: approvers.replace('octocat', 'anna') + operators.trimEnd(),
  });
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  expect(await lane.approve('anna', promotion)).toMatchObject({ status: 409 });
  expect(await lane.approve('octocat', promotion)).toMatchObject({ status: 409 });
  expect((await lane.advance(promotion)).report.text).toContain('(ada, grace may approve)');
});

test('an approval must name the commit and the version and counts only for them', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  const post = (body: unknown) => lane.ask('ada', 'POST', `promotions/${promotion}/approve`, body);
  expect(await post({})).toMatchObject({ status: 400 });
  expect(await post({ commit: task.commit, version: 'v2.0.0' })).toMatchObject({ status: 409 });
  expect(await post({ commit: 'f'.repeat(40), version: 'v1.0.0' })).toMatchObject({ status: 409 });
  await lane.advance(promotion);
  expect(lane.promotions()).toBe(0);
});

test('an approval of another version of the same promotion does not count when the version changes', async () => {
  // The platform's clock is the machine's: what it publishes now must soak for an hour from now.
  const start = Date.now();
  const lane = await oneLane(redis, { gates: { approvals: 1, soak: 3_600_000 }, start });
  const promotion = await lane.push('v1.0.0', { version: { kind: 'latest' } });
  expect(await lane.advance(promotion)).toMatchObject({ version: 'v1.0.0', step: { name: 'resolve' } });
  expect(await lane.approve('ada', promotion)).toMatchObject({ status: 200 });
  await release(lane.env, 'v1.1.0');
  await lane.clock.advance(7_200_000);
  expect((await lane.advance(promotion)).report.text).toBe('Waiting for 1 approval (ada, grace may approve)');
  expect(lane.promotions()).toBe(0);
});

test('a new push ends what waits for approval, and an approval of the old promotion counts for nothing', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const old = await lane.push('v1.0.0');
  await lane.advance(old);
  const fresh = await lane.push('v1.1.0');
  // The old promotion has not been advanced yet: its approval must still be refused.
  expect(await lane.approve('ada', old)).toMatchObject({
    status: 409,
    body: { error: 'a newer push has superseded this promotion; approve the newer one' },
  });
  expect(await lane.advance(old)).toMatchObject({
    outcome: 'superseded',
    report: { text: 'Superseded by v1.1.0; nothing was promoted' },
  });
  expect(await lane.approve('ada', old)).toMatchObject({
    status: 409,
    body: { error: 'the promotion has ended' },
  });
  expect((await lane.advance(fresh)).report.text).toBe('Waiting for 1 approval (ada, grace may approve)');
  expect(lane.promotions()).toBe(0);
});

test('an approval that was given before a new push is void with its run', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 2 } });
  const old = await lane.push('v1.0.0');
  await lane.advance(old);
  await lane.approve('ada', old);
  const fresh = await lane.push('v1.1.0');
  expect(await lane.advance(old)).toMatchObject({ outcome: 'superseded' });
  await lane.advance(fresh);
  await lane.approve('grace', fresh);
  expect((await lane.advance(fresh)).report.text).toContain('1 more approval (ada may approve; grace has)');
});

test('who pushed or wrote a version that never passed cannot approve the next one, which contains it', async () => {
  const gates = { approvals: 1, authorsMayApprove: false };
  const lane = await oneLane(redis, { gates });
  const statusOf = async (promotion: string) => (await lane.advance(promotion)).report.text;
  const first = await lane.push('v1.0.0', { pusher: { login: 'ada', id: 2 }, authors: ['ada'] });
  expect(await statusOf(first)).toBe('Waiting for 1 approval (grace, octocat may approve)');
  const second = await lane.push('v1.1.0', { pusher: { login: 'mallory', id: 9 }, authors: ['Octocat'] });
  expect(await lane.advance(first)).toMatchObject({ outcome: 'superseded' });
  expect(await statusOf(second)).toBe('Waiting for 1 approval (grace may approve)');
  expect(await lane.approve('ada', second)).toMatchObject({ status: 409 });
  // The approvals of a cancelled one, too.
  await lane.ask('root', 'POST', `promotions/${second}/cancel`);
  expect(await lane.advance(second)).toMatchObject({ outcome: 'cancelled' });
  const third = await lane.push('v1.2.0', { pusher: { login: 'mallory', id: 9 }, authors: ['mallory'] });
  expect(await statusOf(third)).toBe('Waiting for 1 approval (grace may approve)');
  // What comes while it waits is not part of it.
  await lane.approve('grace', third);
  expect(await lane.advance(third)).toMatchObject({ outcome: 'passed' });
  const next = await lane.push('v1.3.0', { pusher: { login: 'grace', id: 3 }, authors: ['mallory'] });
  expect(await statusOf(next)).toBe('Waiting for 1 approval (ada, octocat may approve)');
});

test('under the policy every a newer push does not end what waits for approval', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 }, lane: { policy: 'every' } });
  const old = await lane.push('v1.0.0');
  await lane.advance(old);
  await lane.push('v1.1.0');
  expect(await lane.advance(old)).toMatchObject({ state: 'active' });
  expect(await lane.approve('ada', old)).toMatchObject({ status: 200 });
  expect(await lane.advance(old)).toMatchObject({ outcome: 'passed' });
});

test('an approval by a person who was removed from the approvers no longer counts', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  await lane.approve('ada', promotion);
  const config = readWorkerConfig(workerFile(approvers.replace('ada, ', '')), 'worker.yaml');
  await advancePromotion(promotion, { ...lane.ports, config }, new AbortController().signal);
  expect(lane.promotions()).toBe(0);
  expect((await lane.ports.store.promotion(promotion))?.report.text).toBe(
    'Waiting for 1 approval (grace may approve)',
  );
});

test('an approval no longer counts once its author is known to be the pusher', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  await lane.approve('ada', promotion);
  // Since then worker.yaml says whose login it is that pushed.
  const entry = `{ name: ada, github: octocat, role: approver, repositories: all, token-hash: "sha256:${'a'.repeat(64)}" }`;
  const file = `${workerFile(approvers.replace(', octocat', ''))}operators: [${entry}]\n`;
  const config = readWorkerConfig(file, 'worker.yaml');
  await advancePromotion(promotion, { ...lane.ports, config }, new AbortController().signal);
  expect(lane.promotions()).toBe(0);
  expect((await lane.ports.store.promotion(promotion))?.report.text).toBe(
    'Waiting for 1 approval (grace may approve)',
  );
});

test('gates that worker.yaml asks for since the push count, and so does a denial', async () => {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  const stricter = readWorkerConfig(
    workerFile(`${approvers}    gates: { test: { approvals: 1 } }\n`),
    'worker.yaml',
  );
  await advancePromotion(promotion, { ...lane.ports, config: stricter }, new AbortController().signal);
  expect((await lane.ports.store.promotion(promotion))?.report.text).toContain('Waiting for 1 approval');
  const denied = readWorkerConfig(workerFile(approvers.replace('test, prod', 'prod')), 'worker.yaml');
  await advancePromotion(promotion, { ...lane.ports, config: denied }, new AbortController().signal);
  expect((await lane.ports.store.promotion(promotion))?.report.text).toBe(
    'Waiting: worker.yaml no longer lists test in this repository’s `environments`',
  );
  expect(lane.promotions()).toBe(0);
});

test.each(['from: [prod]', 'verify: [daily/check]'])(
  '`%s` in worker.yaml since the push stops a promotion without it',
  async (rule) => {
    const lane = await oneLane(redis);
    const promotion = await lane.push('v1.0.0');
    const file = workerFile(`${approvers}    gates: { test: { ${rule} } }\n`);
    const config = readWorkerConfig(file, 'worker.yaml');
    await advancePromotion(promotion, { ...lane.ports, config }, new AbortController().signal);
    expect((await lane.ports.store.promotion(promotion))?.report.text).toBe(
      'Waiting: worker.yaml no longer lists test in this repository’s `environments`',
    );
    expect(lane.promotions()).toBe(0);
  },
);

test('a soak time that worker.yaml requires since the version was resolved counts', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 }, start: Date.now() });
  const promotion = await lane.push('v1.0.0');
  expect((await lane.advance(promotion)).step.name).toBe('promote');
  await lane.approve('ada', promotion);
  const rule = '    gates: { test: { soak: 24h } }';
  const config = readWorkerConfig(workerFile(`${approvers}${rule}\n`), 'worker.yaml');
  await advancePromotion(promotion, { ...lane.ports, config }, new AbortController().signal);
  expect((await lane.ports.store.promotion(promotion))?.report.text).toContain(
    'v1.0.0 must stay live in dev',
  );
  expect(lane.promotions()).toBe(0);
  // The approval is still one of this version.
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('authors of the pushed commits may approve unless worker.yaml or the lane forbids it', async () => {
  const authors = ['Ada'];
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0', { authors });
  await lane.advance(promotion);
  expect(await lane.approve('ada', promotion)).toMatchObject({ status: 200 });

  const strict = await oneLane(redis, { gates: { approvals: 1, authorsMayApprove: false } });
  const other = await strict.push('v1.0.0', { authors });
  expect((await strict.advance(other)).report.text).toBe('Waiting for 1 approval (grace may approve)');
  expect(await strict.approve('ada', other)).toMatchObject({
    status: 409,
    body: { error: 'a person who wrote a commit of a version cannot approve it' },
  });
});

test('an approval no longer counts once worker.yaml forbids the approval of authors', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0', { authors: ['ada'] });
  await lane.advance(promotion);
  await lane.approve('ada', promotion);
  const rule = '    gates: { test: { authors-may-approve: false } }';
  const config = readWorkerConfig(workerFile(`${approvers}${rule}\n`), 'worker.yaml');
  await advancePromotion(promotion, { ...lane.ports, config }, new AbortController().signal);
  expect(lane.promotions()).toBe(0);
});

test('an unknown pusher requires one more approval', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0', { pusher: undefined as never });
  expect((await lane.advance(promotion)).report.text).toBe(
    'Waiting for 2 approvals (ada, grace, octocat may approve)',
  );
  await lane.approve('ada', promotion);
  expect(await lane.advance(promotion)).toMatchObject({ state: 'active' });
  await lane.approve('grace', promotion);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('unknown authors who may not approve require one more approval, for a request, too', async () => {
  const gates = { approvals: 1, authorsMayApprove: false };
  const lane = await oneLane(redis, { gates });
  const promotion = await lane.push('v1.0.0', { authors: [] });
  expect((await lane.advance(promotion)).report.text).toBe(
    'Waiting for 2 approvals (ada, grace may approve)',
  );
  // Those who wrote an earlier version say nothing about this one.
  await lane.ask('root', 'POST', `promotions/${promotion}/cancel`);
  await lane.advance(promotion);
  const named = await lane.push('v1.1.0', { authors: ['mallory'] });
  expect((await lane.advance(named)).report.text).toBe('Waiting for 1 approval (ada, grace may approve)');
  const next = await lane.push('v1.2.0', { authors: [] });
  await lane.advance(named);
  expect((await lane.advance(next)).report.text).toBe('Waiting for 2 approvals (ada, grace may approve)');
  await lane.ask('root', 'POST', `promotions/${next}/cancel`);
  await lane.advance(next);
  // Nothing is known of who pushed or wrote this one; ada requests it.
  const { task } = await lane.advance(next);
  await lane.env.publish('v1.2.1', task.commit);
  const path = `lanes/${encodeURIComponent(lane.lane)}/promote`;
  const ada = person('ada', 'admin');
  const { body } = await lane.ask(ada, 'POST', path, { version: 'v1.2.1', reason: 'x' });
  const { promotion: requested } = body as { promotion: string };
  expect((await lane.advance(requested)).report.text).toBe(
    'Waiting for 3 approvals (grace, octocat may approve)',
  );
});

test('a retry needs approvals of its own, and a promotion in its effect accepts none', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  await lane.approve('ada', promotion);
  await lane.advance(promotion);
  expect(await lane.approve('grace', promotion)).toMatchObject({
    status: 409,
    body: { error: 'the promotion has ended' },
  });
  const again = await lane.ask('ada', 'POST', `promotions/${promotion}/retry`);
  const { promotion: second } = again.body as { promotion: string };
  expect((await lane.advance(second)).report.text).toContain('Waiting for 1 approval');
});

test.each([
  ['reject', 'rejected by grace: wrong'],
  ['cancel', 'cancelled by root'],
])('nothing counts and nothing is promoted after a %s that is not carried out yet', async (act, message) => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  await lane.approve('ada', promotion);
  const about = { commit: task.commit, version: 'v1.0.0', reason: 'wrong' };
  const end = async () =>
    lane.ask(act === 'reject' ? 'grace' : 'root', 'POST', `promotions/${promotion}/${act}`, about);
  let ended: Awaited<ReturnType<typeof end>> | undefined;
  // The advance that promotes has read the record before.
  lane.env.wire.interfere(async () => {
    ended ??= await end();
    return undefined;
  });
  await lane.advance(promotion);
  lane.env.wire.interfere(undefined);
  expect(ended?.status).toBe(act === 'reject' ? 200 : 202);
  expect(lane.promotions()).toBe(0);
  const body = { error: 'the promotion was rejected or cancelled, and ends with its next step' };
  expect(await lane.approve('grace', promotion)).toMatchObject({ status: 409, body });
  expect(await lane.ask('grace', 'POST', `promotions/${promotion}/reject`, about)).toMatchObject({ body });
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'cancelled',
    message,
    approvals: [{ by: 'ada' }],
  });
  expect(lane.promotions()).toBe(0);
});

test('an approver rejects with a reason: the promotion ends, and the history has reason and comment', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 2 } });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  const seen = { commit: task.commit, version: 'v1.0.0' };
  const reject = (as: string, body: object) => lane.ask(as, 'POST', `promotions/${promotion}/reject`, body);
  await lane.ask('grace', 'POST', `promotions/${promotion}/approve`, { ...seen, comment: 'Figures checked' });
  expect(await reject('ada', seen)).toMatchObject({ status: 400 });
  expect(await reject('ada', { ...seen, version: 'v9', reason: 'x' })).toMatchObject({ status: 409 });
  expect(await reject('eve', { ...seen, reason: 'x' })).toMatchObject({ status: 403 });
  const query = new URLSearchParams(seen).toString();
  expect(await lane.ask('ada', 'GET', `promotions/${promotion}/reject?${query}`)).toMatchObject({
    status: 200,
  });
  expect(await lane.advance(promotion)).toMatchObject({ state: 'active' });
  expect(await reject('ada', { ...seen, reason: 'March is wrong' })).toMatchObject({ status: 200 });
  expect(await lane.advance(promotion)).toMatchObject({
    outcome: 'cancelled',
    report: { text: 'rejected by ada: March is wrong' },
  });
  expect(await reject('ada', { ...seen, reason: 'again' })).toMatchObject({ status: 409 });
  expect(await lane.ask('ada', 'GET', `promotions/${promotion}`)).toMatchObject({
    body: {
      rejection: { by: 'ada', via: 'api', reason: 'March is wrong' },
      approvals: { comments: [{ by: 'grace', comment: 'Figures checked' }] },
      history: expect.arrayContaining([
        expect.objectContaining({ what: 'approved', data: expect.stringContaining('Figures checked') }),
        expect.objectContaining({ what: 'rejected', data: expect.stringContaining('March is wrong') }),
      ]),
    },
  });
  // It waits in the queue of its lane.
  await lane.ask('ada', 'POST', `lanes/${encodeURIComponent(lane.lane)}/hold`, { reason: 'month end' });
  const queued = await lane.push('v1.1.0');
  const { task: next } = await lane.advance(queued);
  const both = { commit: next.commit, version: 'v1.1.0', reason: 'too' };
  expect(await lane.ask('ada', 'POST', `promotions/${queued}/reject`, both)).toMatchObject({ status: 200 });
  expect(await lane.ports.store.promotion(queued)).toMatchObject({
    state: 'finished',
    outcome: 'cancelled',
    message: 'Rejected by ada: too',
  });
});
