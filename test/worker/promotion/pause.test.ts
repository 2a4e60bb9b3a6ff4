import { expect, test } from 'vitest';
import { showMetrics } from '../../../worker/web/show-metrics.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { projectId } from '../../environment/worker/worker-environment.ts';
import { failingSecond } from '../../environment/worker/lanes-at-work.ts';
import { noJobs } from '../web/no-jobs.ts';
import { approvers, oneLane, person, type OneLane } from './gates/one-lane.ts';

const redis = testRedis();

const verified = {
  verify: [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }],
  onFailure: 'rollback',
} as const;

/** Another repository in worker.yaml. */
const policy = `${approvers}  - id: 42
    name: example/another
    projects: [${projectId}]
    credential: platform
    branches: [main]
    tags: []
    environments: [test]
    pipelines: []
`;

interface ShownPause {
  readonly id: string;
  readonly by: string;
  readonly reason: string;
}

/** Pauses as an admin; gives the pause's id. */
async function pause(lane: OneLane, scope: object = {}, reason = 'platform upgrade'): Promise<string> {
  const { status, body } = await lane.ask('root', 'POST', 'pause', { reason, ...scope });
  expect([status, body]).toMatchObject([200, { paused: { by: 'root', reason } }]);
  return (body as { paused: ShownPause }).paused.id;
}

const resume = (lane: OneLane, id: string) => lane.ask('root', 'POST', `pauses/${id}/resume`, {});

test('while everything is paused a push is taken in and promotes nothing, also in a lane that is new', async () => {
  const lane = await oneLane(redis);
  const id = await pause(lane);
  const promotion = await lane.push('v1.0.0');
  expect(await lane.advance(promotion)).toMatchObject({
    state: 'active',
    report: { text: 'Waiting: paused by root: platform upgrade' },
  });
  expect(await lane.ask('root', 'GET', `promotions/${promotion}`)).toMatchObject({
    body: { waitsFor: 'pause', progress: { since: expect.any(String) } },
  });
  expect(lane.promotions()).toBe(0);
  expect(await resume(lane, id)).toMatchObject({ status: 200, body: { resumed: id } });
  expect((await lane.ports.store.promotion(promotion))?.advanceRequested).toBe(true);
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('a pause that comes after the gates were passed is seen in the step that records the intent', async () => {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  lane.env.wire.interfere(async ({ path }) => {
    // The promotion has passed its gates, and looks at the target.
    if (path.includes('environmentName=test')) {
      lane.env.wire.interfere(undefined);
      await pause(lane);
    }
    return undefined;
  });
  expect((await lane.advance(promotion)).report.text).toBe('Waiting: paused by root: platform upgrade');
  expect(lane.promotions()).toBe(0);
});

test('when a pause ends the newest version is promoted, not those that waited before it', async () => {
  const lane = await oneLane(redis);
  const id = await pause(lane);
  const first = await lane.push('v1.0.0');
  await lane.advance(first);
  const second = await lane.push('v1.1.0');
  expect(await lane.advance(first)).toMatchObject({ outcome: 'superseded' });
  await lane.advance(second);
  await resume(lane, id);
  expect(await lane.advance(second)).toMatchObject({ outcome: 'passed' });
  expect(lane.promotions()).toBe(1);
});

test('an execution that runs is polled to its end, and no next one starts', async () => {
  const two = { ...verified, verify: [verified.verify[0], verified.verify[0]] };
  const lane = await oneLane(redis, { lane: two });
  const promotion = await lane.push('v1.0.0');
  expect((await lane.advance(promotion)).step).toMatchObject({ name: 'watch', verify: 0 });
  const id = await pause(lane);
  await eventually(() => lane.advance(promotion)).toMatchObject({
    step: { name: 'start', verify: 1 },
    report: { text: 'Waiting: paused by root: platform upgrade' },
  });
  expect(lane.env.wire.count('POST', '/pipeline-executions')).toBe(1);
  await resume(lane, id);
  await eventually(() => lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
});

test('a version whose verification fails during a pause is rolled back', async () => {
  const lane = await oneLane(redis, { lane: verified, seed: failingSecond('test') });
  const first = await lane.push('v1.0.0');
  await eventually(() => lane.advance(first)).toMatchObject({ outcome: 'passed' });
  const second = await lane.push('v1.1.0');
  await lane.advance(second);
  await pause(lane);
  await eventually(() => lane.advance(second)).toMatchObject({ outcome: 'failed' });
  expect(await lane.env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
});

test('a pause of a repository or an environment leaves the others alone', async () => {
  const lane = await oneLane(redis, { policy });
  await pause(lane, { repository: '42' });
  await pause(lane, { environment: 'prod' });
  expect(await lane.advance(await lane.push('v1.0.0'))).toMatchObject({ outcome: 'passed' });
  const own = await pause(lane, { repository: 'example/warehouse', environment: 'test' }, 'audit');
  const next = await lane.push('v1.1.0');
  expect((await lane.advance(next)).report.text).toBe('Waiting: paused by root: audit');
  await resume(lane, own);
  expect(await lane.advance(next)).toMatchObject({ outcome: 'passed' });
});

test('two pauses end separately, each once, and the audit names who paused, resumed and why', async () => {
  const lane = await oneLane(redis);
  const [first, second] = [await pause(lane), await pause(lane, {}, 'audit')];
  const promotion = await lane.push('v1.0.0');
  await resume(lane, first);
  expect(await resume(lane, first)).toMatchObject({ status: 404 });
  expect((await lane.advance(promotion)).report.text).toBe('Waiting: paused by root: audit');
  await lane.ask('root', 'POST', `pauses/${second}/resume`, { reason: 'signed' });
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  const { body } = await lane.ask('root', 'GET', 'audit');
  expect(body).toMatchObject({
    entries: [
      { by: 'root', act: 'resume', data: expect.stringContaining('signed') },
      { by: 'root', act: 'resume' },
      { by: 'root', act: 'pause', data: expect.stringContaining('audit') },
      { by: 'root', act: 'pause', data: expect.stringContaining('platform upgrade') },
    ],
  });
});

test('lanes and metrics show a pause; only an admin of what is paused pauses and resumes', async () => {
  const lane = await oneLane(redis, { policy });
  await lane.advance(await lane.push('v1.0.0'));
  const own = { ...person('own', 'admin'), repositories: [77] };
  expect(await lane.ask('ada', 'POST', 'pause', { reason: 'x' })).toMatchObject({ status: 403 });
  expect(await lane.ask('root', 'POST', 'pause', {})).toMatchObject({ status: 400 });
  expect(await lane.ask('root', 'POST', 'pause', { reason: 'x', repository: '5' })).toMatchObject({
    status: 400,
  });
  expect(await lane.ask('root', 'POST', 'pause', { reason: 'x', environment: 'prdo' })).toMatchObject({
    status: 400,
  });
  expect(await lane.ask(own, 'POST', 'pause', { reason: 'x' })).toMatchObject({ status: 403 });
  expect(await lane.ask(own, 'POST', 'pause', { reason: 'x', repository: '42' })).toMatchObject({
    status: 403,
  });
  const other = await pause(lane, { repository: '42' });
  const all = await pause(lane);
  const shown = { by: 'root', reason: 'platform upgrade', repository: null, environment: null };
  expect(await lane.ask(own, 'GET', 'lanes')).toMatchObject({
    body: { pauses: [{ id: all, ...shown }], lanes: [{ pauses: [{ id: all, ...shown }] }] },
  });
  expect(await lane.ask('root', 'GET', 'pauses')).toMatchObject({
    body: { pauses: [{ id: other }, { id: all }] },
  });
  expect(await lane.ask(own, 'POST', `pauses/${all}/resume`, {})).toMatchObject({ status: 403 });
  expect(await lane.ask(own, 'POST', `pauses/${other}/resume`, {})).toMatchObject({ status: 404 });
  expect(await showMetrics(lane.ports, noJobs)).toContain('millrace_pauses 2\n');
});
