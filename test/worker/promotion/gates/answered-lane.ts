import type { TestRedis } from '../../../environment/redis.ts';
import { commentOn, type CommentOptions } from '../../../environment/worker/comment-on.ts';
import { noLimits, repositoryName } from '../../../environment/worker/worker-environment.ts';
import type { TokenGrant } from '../../../../local-github/state/state.ts';
import { decideByComment } from '../../../../worker/intake/ingest/decide-by-comment.ts';
import { blockingGate } from '../../../../worker/promotion/gates/blocking-gate.ts';
import { createWriteBudget } from '../../../../worker/rate-limit/write-budget.ts';
import { reduceComment } from '../../../../worker/records/comment-event.ts';
import { createAnswerOutbox } from '../../../../worker/reporting/github/answers/answer-outbox.ts';
import {
  type AnswererContext,
  createAnswerer,
} from '../../../../worker/reporting/github/answers/create-answerer.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { approvers, oneLane } from './one-lane.ts';

export const noon = Date.UTC(2031, 0, 1, 12);

/**
 * A promotion of a merged pull request that waits for two approvals, with a worker that answers comments. ada, grace and mallory
 * may write, and ada and grace may approve; eve may only read.
 */
export async function answeredLane(redis: TestRedis) {
  const permissions: Record<string, 'read' | 'write'> = {
    checks: 'read',
    contents: 'read',
    statuses: 'write',
    pull_requests: 'write',
  };
  const grant = { login: 'millrace-worker', permissions } satisfies TokenGrant;
  const lane = await oneLane(redis, {
    gates: { approvals: 2 },
    policy: `${approvers}github: { answer-comments: true }\n`,
    github: { tokens: { worker: grant }, now: () => noon },
  });
  const { github } = lane.env;
  const repository = github.repository(repositoryName);
  for (const [id, login, permission] of [
    [11, 'ada', 'write'],
    [12, 'grace', 'write'],
    [14, 'mallory', 'write'],
    [15, 'eve', 'read'],
  ] as const)
    repository.collaborators.set(login, { id, login, permission });
  await lane.env.repository.commit('feature', { 'notes.txt': 'feature' }, { from: 'main' });
  github.openPull(repositoryName, { head: 'feature', base: 'main' });
  const promotion = await lane.push('v1.0.0');
  const { task, plan } = await lane.advance(promotion);
  const [pull] = repository.pulls;
  if (pull === undefined || plan === undefined) throw new Error('no pull request, or no plan');
  pull.mergeCommit = task.commit;
  const warnings: string[] = [];
  const { ports, clock } = lane;
  const connection = redis.connect();
  const outbox = createAnswerOutbox(connection, keysUnder(lane.env.prefix), clock);
  const budget = createWriteBudget(connection, {
    prefix: lane.env.prefix,
    clock,
    limits: noLimits,
    now: clock.now,
  });
  const answererWith = (change: Partial<AnswererContext> = {}) =>
    createAnswerer({
      github: lane.github,
      outbox,
      store: ports.store,
      budget,
      isOn: () => true,
      missingApprovals: (one) => blockingGate(one, ports.config, clock.now())?.text,
      url: () => 'https://worker.example.com',
      redact: (text) => text.replaceAll('s3cret', '[secret]'),
      clock,
      random: () => 0.5,
      logger: {
        ...ports.logger,
        warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
      },
      failures: { failed: (_, message) => void warnings.push(message), worked: () => undefined, size: 0 },
      answerForMs: 86_400_000,
      leaseMs: 40_000,
      ...change,
    });
  const answerer = answererWith();
  let last = 4_710;
  async function command(text: string, login = 'ada', change: Partial<CommentOptions> = {}) {
    last += 1;
    const id = repository.collaborators.get(login)?.id ?? 99;
    const body = commentOn({ text, author: { id, login }, id: last, ...change });
    const event = reduceComment(body, { delivery: 'd', digest: 'x', receivedAt: noon });
    if ('ignored' in event) throw new Error(event.ignored);
    return decideByComment(event, { github: lane.github, ports });
  }
  return {
    ...lane,
    repository,
    pull,
    promotion,
    plan,
    permissions,
    warnings,
    outbox,
    answerer,
    answererWith,
    command,
    /** The answers on GitHub, the oldest first. */
    answers: () =>
      repository.comments.map(({ body }) => body).filter((body) => body.startsWith('<!-- millrace:answer')),
    /** Processes a comment as the worker does, and writes its answer; undefined without one. */
    async ask(...given: Parameters<typeof command>) {
      const before = repository.comments.length;
      const { answer } = await command(...given);
      if (answer !== undefined) await answerer.offer(answer);
      await answerer.sendDue();
      return repository.comments[before]?.body;
    },
  };
}
