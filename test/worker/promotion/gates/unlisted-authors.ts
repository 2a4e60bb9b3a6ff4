import { expect, onTestFinished } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { ingestPush } from '../../../../worker/intake/ingest/ingest-push.ts';
import { follow } from '../../../../worker/promotion/admission/follow.ts';
import {
  countApprovals,
  describeMissingApprovals,
} from '../../../../worker/promotion/gates/count-approvals.ts';
import { learnAuthors } from '../../../../worker/promotion/advance/wait-at-gate.ts';
import { openAdvance } from '../../../../worker/promotion/advance/advance.ts';
import { currentPolicy } from '../../../../worker/promotion/gates/current-policy.ts';
import { replayDeadLetter } from '../../../../worker/promotion/admission/replay.ts';
import { retryPromotion } from '../../../../worker/promotion/admission/retry-promotion.ts';
import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { reducePush } from '../../../../worker/records/push-event.ts';
import type { PromotionResult } from '../../../../worker/store/advances/advances.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import {
  createWorkerEnvironment,
  projectId,
  repositoryId,
  repositoryName,
  type WorkerEnvironment,
  workerFile,
} from '../../../environment/worker/worker-environment.ts';
import { createIngestContext } from '../../intake/ingest/ingest-context.ts';

const policy = `
    branches: [main, "release/*"]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
    approvers: [ada, grace, trent]
`;

/** The people whose accounts GitHub knows by their addresses. */
const accounts = ['ada', 'grace', 'trent', 'mallory', 'octo'];

/** Lanes whose pushes are ingested; the test itself ends their promotions. */
export interface IngestedLanes {
  readonly env: WorkerEnvironment;
  /** A commit by a person, on `main` by default. */
  commit(author: string, branch?: string): Promise<string>;
  /** Pushes a tag of the newest commit of `main`; gives its promotion in the first lane. */
  tag(name: string): Promise<string>;
  /** Pushes a ref as it is; gives its promotion in the first lane. */
  push(ref: string, before?: string): Promise<string>;
  /** Ends a promotion as passed, and the one before it as superseded. */
  verify(promotion: string): Promise<PromotionRecord>;
  /** Admits a verified version to the lanes that follow. */
  follow(promotion: PromotionRecord): Promise<void>;
  /** Deletes the record of a promotion, as happens after its retention. */
  forget(promotion: string): Promise<void>;
  /** The newest promotion of a lane. */
  newest(lane: string): Promise<string>;
  /** The approvals for which a promotion waits; `rules`: what worker.yaml requires since the push. */
  waitsFor(promotion: string, rules?: string): Promise<string>;
  /** Retries a promotion that is finished; gives the new one. */
  retry(promotion: string): Promise<string>;
  /** Replays the job of a promotion that was given up; gives the new one. */
  replay(promotion: string): Promise<string>;
  /** Asks GitHub again at the gate who wrote a promotion; whether it is known then. */
  ask(promotion: string): Promise<boolean>;
  /** How many times GitHub was asked to list the commits of a comparison. */
  listings(): number;
}

/** A push by mallory. GitHub names the people of the last commit with a tag, and no others. */
async function pushOf(env: WorkerEnvironment, ref: string, before?: string): Promise<object> {
  const given = await env.github.events.push(repositoryName, ref, before);
  const people = { author: { username: 'mallory' }, committer: { username: 'web-flow' } };
  return { ...given, head_commit: { ...given.head_commit, ...people }, sender: { id: 9, login: 'mallory' } };
}

export async function ingestedLanes(redis: TestRedis, lanes: string): Promise<IngestedLanes> {
  const env = await createWorkerEnvironment({ lanes, policy });
  onTestFinished(() => env[Symbol.asyncDispose]());
  const repository = env.github.repository(repositoryName);
  for (const [i, login] of accounts.entries())
    repository.accounts.set(`${login}@example.com`, { id: 20 + i, login });
  const { context, ports, connection, keys } = createIngestContext(
    redis,
    env.prefix,
    env.options(redis).github,
  );
  const config = readWorkerConfig(workerFile(policy), 'worker.yaml');
  const { store } = ports;
  let pushes = 0;
  const promotionOf = async (id: string): Promise<PromotionRecord> => {
    const promotion = await store.promotion(id);
    if (promotion === undefined) throw new Error(`no promotion ${id}`);
    return promotion;
  };
  const newest = async (lane: string): Promise<string> =>
    (await store.lane(`${repositoryId}/${projectId}/${lane}`))?.lastPromotion ?? '';
  async function push(ref: string, before?: string): Promise<string> {
    pushes += 1;
    const facts = { delivery: `d-${pushes}`, digest: `digest-${pushes}`, receivedAt: Date.now() };
    const event = reducePush(await pushOf(env, ref, before), facts);
    if (event === undefined) throw new Error('the event is not a push');
    expect(await ingestPush(event, { ...context, config })).toMatchObject({ status: 'done' });
    return newest('to-test');
  }
  async function finish(id: string, end: Pick<PromotionResult, 'outcome' | 'verified'>): Promise<void> {
    const begun = await store.beginAdvance({ id });
    if ('status' in begun) throw new Error(`the promotion is ${begun.status}`);
    const artifactCommit = begun.promotion.task.commit;
    await store.record(begun.key, { kind: 'state', what: 'resolved', fields: { artifactCommit } });
    const report = { state: 'success', text: '' } as const;
    await store.finish(begun.key, { ...end, message: '', report, state: 'finished' });
  }
  return {
    env,
    push,
    newest,
    follow: (promotion) => follow(promotion, ports),
    commit: (name, branch = 'main') =>
      env.repository.commit(
        branch,
        { [`${name}.txt`]: String(pushes) },
        { author: { name, email: `${name}@example.com` } },
      ),
    async tag(name) {
      await env.repository.tag(name, 'refs/heads/main');
      return push(`refs/tags/${name}`);
    },
    async verify(id) {
      const { lane } = await promotionOf(id);
      const active = (await store.lane(lane))?.active;
      if (active !== undefined && active !== id) await finish(active, { outcome: 'superseded' });
      const { version } = (await promotionOf(id)).task;
      const name = version.kind === 'named' ? version.name : id;
      await finish(id, { outcome: 'passed', verified: name });
      return { ...(await promotionOf(id)), version: name };
    },
    async forget(id) {
      await connection.del(keys.promotion(id));
    },
    async waitsFor(id, rules = '') {
      const promotion = await promotionOf(id);
      const current = currentPolicy(
        promotion.task,
        readWorkerConfig(workerFile(policy + rules), 'worker.yaml'),
      );
      return current === undefined ? 'denied' : describeMissingApprovals(countApprovals(promotion, current));
    },
    async retry(id) {
      const retried = await retryPromotion(id, { by: 'root', via: 'api' }, ports);
      if (retried.status !== 'retried') throw new Error(`the promotion is ${retried.status}`);
      return retried.promotion;
    },
    async replay(id) {
      const letter = { id: `promotion-${id}`, queue: 'promotion', kind: 'poison', cause: 'x' } as const;
      await ports.deadLetters.add({ ...letter, data: { promotionId: id } });
      const replayed = await replayDeadLetter(letter.id, { by: 'root', via: 'api' }, ports);
      return replayed.status === 'replayed' ? (replayed.promotion ?? '') : expect.unreachable();
    },
    async ask(id) {
      const begun = await store.beginAdvance({ id });
      if ('status' in begun) throw new Error(`the promotion is ${begun.status}`);
      const { signal } = new AbortController();
      return learnAuthors(openAdvance(begun, { ...ports, config }, signal));
    },
    listings: () =>
      env.github.requests.filter(({ path, query }) => path.includes('/compare/') && query.has('page')).length,
  };
}
