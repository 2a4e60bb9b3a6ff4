import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import {
  createTestEnvironment,
  ended,
  laneId,
  pushed,
  release,
} from '../../../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  projectFile,
  promotionsOf,
  repositoryName,
  type ShownPromotion,
} from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();

const policy = `
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
    approvers: [ada, grace, trent]
`;
const lane = (gates = '') => `
  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test${gates} }
`;
const strict = lane(', gates: { approvals: 1, authors-may-approve: false }');

/** A lane that has verified a version, and now forbids the approval of authors. */
async function verified() {
  const settings = { authorsMs: 1, gateMs: 20 };
  const { env, worker } = await createTestEnvironment(redis, { lanes: lane(), policy }, settings);
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  env.github.repository(repositoryName).accounts.set('ada@example.com', { id: 20, login: 'ada' });
  const author = { name: 'ada', email: 'ada@example.com' };
  await env.repository.commit('main', { 'millrace.yaml': projectFile(strict) }, { author });
  const commit = await env.repository.commit('main', { 'notes.txt': 'ada' }, { author });
  await env.repository.tag('v1.1.0', commit);
  await env.publish('v1.1.0', commit);
  const listings = () =>
    env.github.requests.filter(({ path, query }) => path.includes('/compare/') && query.has('page')).length;
  const status = async () => (await promotionsOf(worker.url, 'to-test'))[0];
  return { env, worker, listings, status };
}

test('an outage of GitHub costs one approval more only until GitHub lists the authors', async () => {
  const { env, worker, listings, status } = await verified();
  env.github.interfere(({ path, query }) =>
    path.includes('/compare/') && query.has('page') ? { status: 502 } : undefined,
  );
  await pushed(env, worker, 'v1.1.0');
  await eventually(status).toMatchObject({
    status: 'Waiting for 2 approvals (ada, grace, trent may approve)',
  });
  await eventually(listings).toBeGreaterThan(2);
  env.github.interfere(undefined);
  await eventually(status).toMatchObject({ status: 'Waiting for 1 approval (grace, trent may approve)' });
  const { history } = (
    await askWorker<ShownPromotion>(worker.url, `promotions/${(await status())?.id ?? ''}`)
  ).body;
  expect(history?.map(({ what }) => what)).toContain('authors-read');
});

test('a requested version asks for the authors since the version that is verified now', async () => {
  const { env, worker, status } = await verified();
  await pushed(env, worker, 'v1.1.0');
  await eventually(status).toMatchObject({ status: 'Waiting for 1 approval (grace, trent may approve)' });
  const request = { version: 'v1.1.0', reason: 'now', anyVersion: false };
  const asked = await askWorker<{ promotion: string }>(
    worker.url,
    `lanes/${laneId('to-test')}/promote`,
    request,
  );
  expect(asked.status).toBe(202);
  const requested = async () =>
    (await askWorker<ShownPromotion>(worker.url, `promotions/${asked.body.promotion}`)).body;
  await eventually(requested).toMatchObject({ status: 'Waiting for 1 approval (grace, trent may approve)' });
  expect((await requested()).history?.map(({ what }) => what)).toContain('authors-read');
});
