import { onTestFinished } from 'vitest';
import { createClient } from '../../../../client/index.ts';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import type { ApiAnswer } from '../../../../worker/web/api/operations/answers.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { admit } from '../../../../worker/promotion/admission/admit.ts';
import type { Operator } from '../../../../worker/operators/operator.ts';
import { openPorts, type WorkerPorts } from '../../../../worker/app/open-ports.ts';
import type { PromotionLane, PromotionTask } from '../../../../worker/records/promotion-task.ts';
import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import { defaultSettings } from '../../../../worker/settings/settings.ts';
import { callApi } from '../../../environment/worker/call-api.ts';
import { manualClock, type ManualClock } from '../../../environment/clock.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  projectId,
  repositoryId,
  repositoryName,
  createWorkerEnvironment,
  type WorkerEnvironment,
  type WorkerEnvironmentOptions,
  workerFile,
} from '../../../environment/worker/worker-environment.ts';

/** A lane whose promotions the test advances itself, on a clock that it moves itself. */
export interface OneLane {
  readonly env: WorkerEnvironment;
  readonly ports: WorkerPorts;
  readonly clock: ManualClock;
  readonly github: GitHubPort;
  readonly lane: string;
  /** Publishes a version, unless it is published, and takes it into the lane; gives the promotion's id. */
  push(
    version: string,
    task?: Partial<PromotionTask>,
    options?: { readonly published?: boolean; readonly id?: string },
  ): Promise<string>;
  /** Advances the promotion once; returns it as it is afterwards. */
  advance(promotion: string): Promise<PromotionRecord>;
  /** A call of the operators' API. */
  ask(as: string | Operator, method: 'GET' | 'POST', path: string, body?: unknown): Promise<ApiAnswer>;
  /** Approves what the promotion is about now. */
  approve(as: string, promotion: string): Promise<ApiAnswer>;
  /** Releases all that holds the lane. */
  release(as: string, reason?: string): Promise<ApiAnswer>;
  /** Promotions that reached the platform. */
  promotions(): number;
  /** The ports of one more worker with the same settings, records and clock, which has read nothing yet. */
  openWorker(): WorkerPorts;
}

export interface LaneOptions {
  readonly gates?: Partial<PromotionLane['gates']>;
  readonly lane?: Partial<PromotionLane>;
  /** The repository's entry of worker.yaml, beyond what it must have. */
  readonly policy?: string;
  readonly start?: number;
  readonly seed?: WorkerEnvironmentOptions['seed'];
  readonly github?: WorkerEnvironmentOptions['github'];
  /** `redis-replicas` of worker.yaml. */
  readonly replicas?: number;
}

/** ada, grace and octocat may approve; octocat pushes. */
export const approvers = `
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
    approvers: [ada, grace, octocat]
`;

export const person = (name: string, role: Operator['role'] = 'approver'): Operator => ({
  name,
  role,
  repositories: 'all',
});

/** The newest commit of the main branch. */
async function headOf(env: WorkerEnvironment): Promise<string> {
  return (await env.github.repository(repositoryName).git.git('rev-parse', 'refs/heads/main')).trim();
}

export async function oneLane(redis: TestRedis, options: LaneOptions = {}): Promise<OneLane> {
  const { gates, policy = approvers, start } = options;
  const env = await createWorkerEnvironment({
    lanes: toTest,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.github === undefined ? {} : { github: options.github }),
  });
  const clock = manualClock(start);
  const connection = redis.connect();
  await connection.set(keysUnder(env.prefix).state, 'new');
  const opened: ReturnType<typeof openPorts>[] = [];
  const openWorker = (): WorkerPorts => {
    const ports = openPorts({
      planSecrets: () => ['webhook-secret-of-the-test'],
      config: {
        ...readWorkerConfig(workerFile(policy), 'worker.yaml'),
        'redis-replicas': options.replicas ?? 0,
      },
      redis: connection,
      settings: { ...defaultSettings, prefix: env.prefix },
      clock,
      random: () => 0.5,
      logger: silentLogger,
      createClientFor: (_, middlewares) =>
        createClient({
          baseUrl: env.wire.baseUrl,
          auth: { token: env.platform.tokens.admin },
          middlewares,
        }),
      github: env.options(redis).github,
      // The bucket fills by the real clock.
      requestsPerMinute: () => 1_000_000,
      onError: () => undefined,
    });
    opened.push(ports);
    return ports;
  };
  const ports = openWorker();
  onTestFinished(async () => {
    for (const worker of opened) await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const lane = `${repositoryId}/${projectId}/to-test`;
  const ask: OneLane['ask'] = (as, method, path, body) => {
    const operator = typeof as === 'string' ? person(as, as === 'root' ? 'admin' : 'approver') : as;
    return callApi({ method, path, body }, operator, ports);
  };
  const promotionOf = async (id: string): Promise<PromotionRecord> => {
    const promotion = await ports.store.promotion(id);
    if (promotion === undefined) throw new Error(`no promotion ${id}`);
    return promotion;
  };
  return {
    env,
    ports,
    clock,
    github: env.options(redis).github,
    lane,
    ask,
    async push(version, task = {}, { published = false, id = version } = {}) {
      const commit = task.commit ?? (published ? await headOf(env) : await release(env, version));
      const promotionId = `promotion-${id}`;
      await admit(
        {
          promotionId,
          order: 'differs',
          head: { field: `refs/tags/${version}`, value: commit },
          task: {
            repository: { id: repositoryId, fullName: repositoryName },
            ref: `refs/tags/${version}`,
            commit,
            delivery: 'd',
            pusher: { login: 'octocat', id: 1 },
            version: { kind: 'named', name: version, commit },
            lane: {
              name: 'to-test',
              id: lane,
              project: projectId,
              credential: 'platform',
              from: 'dev',
              to: 'test',
              policy: 'latest',
              verify: [],
              onFailure: 'hold',
              gates: {
                approvals: 0,
                authorsMayApprove: true,
                checks: [],
                soak: 0,
                freeze: [],
                windows: [],
                ...gates,
              },
              next: [],
              ...options.lane,
            },
            ...task,
          },
        },
        ports,
      );
      return promotionId;
    },
    async advance(id) {
      await advancePromotion(id, ports, new AbortController().signal);
      return promotionOf(id);
    },
    async approve(as, id) {
      const { task, version } = await promotionOf(id);
      return ask(as, 'POST', `promotions/${id}/approve`, { commit: task.commit, version });
    },
    async release(as, reason) {
      const holds = ((await ports.store.lane(lane))?.holds ?? []).map(({ id }) => id);
      return ask(as, 'POST', `lanes/${encodeURIComponent(lane)}/resume`, { holds, reason });
    },
    promotions: () => env.wire.count('POST', '/promotions'),
    openWorker,
  };
}
