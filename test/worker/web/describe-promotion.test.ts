import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { PromotionRecord } from '../../../worker/records/promotion-record.ts';
import { promotionState } from '../../../worker/web/dashboard/parts/states.ts';
import { describePromotion } from '../../../worker/web/api/operations/describe-promotion.ts';
import { manualClock } from '../../environment/clock.ts';
import { projectId, workerFile } from '../../environment/worker/worker-environment.ts';
import { promotionTask } from '../store/promotion-task.ts';

const task = promotionTask('v1.0.0', { project: projectId });
const at = Date.parse('2026-01-02T03:04:05.000Z');

/** A promotion that polls its execution. */
const polling: PromotionRecord = {
  id: 'p1',
  lane: task.lane.id,
  seq: 7,
  state: 'active',
  task,
  step: { name: 'watch', verify: 0, since: at, executionId: 'e1' },
  intent: undefined,
  version: 'v1.0.0',
  versionAt: at,
  artifactCommit: 'b'.repeat(40),
  approvals: [],
  rejection: undefined,
  override: undefined,
  evidencePass: undefined,
  cancel: undefined,
  authorsAskedAt: undefined,
  advanceRequested: false,
  unfinished: 0,
  outcome: undefined,
  message: undefined,
  createdAt: at,
  startedAt: at + 1_000,
  endedAt: undefined,
  place: undefined,
  rolledBack: undefined,
  report: { state: 'pending', text: 'v1.0.0 is in test; running', seq: 3, sent: 3 },
};

/** With an approval that prod needs. */
const repositoryEntry = `
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["daily/*"]
    approvers: [ada]
    gates: { prod: { approvals: 1 } }
`;
const config = readWorkerConfig(workerFile(repositoryEntry), 'worker.yaml');

const describe = (change: Partial<PromotionRecord> = {}) =>
  describePromotion({ ...polling, ...change }, undefined, { config, clock: manualClock(at) });

test('a promotion that polls names its step, its execution and where it comes from and goes to', () => {
  expect(describe()).toMatchObject({
    id: 'p1',
    lane: task.lane.id,
    laneName: 'to-test',
    seq: 7,
    state: 'active',
    outcome: null,
    passedBy: false,
    message: null,
    version: 'v1.0.0',
    repository: 'example/warehouse',
    ref: 'refs/tags/v1.0.0',
    commit: 'a'.repeat(40),
    artifactCommit: 'b'.repeat(40),
    pusher: null,
    delivery: 'd',
    retryOf: null,
    request: null,
    from: 'dev',
    to: 'test',
    step: 'watch',
    waitsFor: null,
    approvals: null,
    override: null,
    executionId: 'e1',
    executionUrl: null,
    intent: null,
    status: 'v1.0.0 is in test; running',
    rolledBack: null,
    createdAt: '2026-01-02T03:04:05.000Z',
    startedAt: '2026-01-02T03:04:06.000Z',
    endedAt: null,
  });
  expect(describe().progress).not.toBeNull();
});

test('a promotion that has ended shows neither a step nor progress', () => {
  const rolledBack = { by: 'ada', via: 'api', disabled: 'v1.0.0', live: 'v0.9.0', reason: 'wrong' } as const;
  const ended = describe({ state: 'finished', outcome: 'passed', endedAt: at + 5_000, rolledBack });
  expect(ended).toMatchObject({
    state: 'finished',
    outcome: 'passed',
    step: null,
    progress: null,
    rolledBack,
    endedAt: '2026-01-02T03:04:10.000Z',
  });
});

test('only an indeterminate promotion is passed by, once its lane has verified it or a newer one', () => {
  const verifiedAt = (seq: number) => ({
    verified: { seq, version: 'v1.1.0', promotion: 'p2', at },
  });
  const passedBy = (outcome: PromotionRecord['outcome'], lane: Parameters<typeof describePromotion>[1]) =>
    describePromotion({ ...polling, state: 'finished', outcome }, lane, { config, clock: manualClock(at) })
      .passedBy;
  expect(passedBy('indeterminate', verifiedAt(8))).toBe(true);
  expect(passedBy('indeterminate', verifiedAt(7))).toBe(true);
  expect(passedBy('indeterminate', verifiedAt(6))).toBe(false);
  expect(passedBy('indeterminate', { verified: undefined })).toBe(false);
  expect(passedBy('failed', verifiedAt(8))).toBe(false);
});

test('what people did is shown: who pushed, requested, repeated and overrode it, and who may approve it', () => {
  const asked = describe({
    state: 'active',
    step: { name: 'promote', since: at, readBacks: 0 },
    task: {
      ...task,
      lane: { ...task.lane, from: 'test', to: 'prod' },
      pusher: { id: 5, login: 'octo' },
      retry: { of: 'p0', by: 'ada' },
      request: { by: 'grace', via: 'api', reason: 'back to the last good one' },
    },
    override: { by: 'ada', reason: 'urgent', commit: 'a'.repeat(40), version: 'v1.0.0', at },
  });
  expect(asked).toMatchObject({
    from: 'test',
    to: 'prod',
    pusher: 'octo',
    retryOf: { of: 'p0', by: 'ada' },
    request: { by: 'grace', reason: 'back to the last good one' },
    override: { by: 'ada', reason: 'urgent' },
    step: 'promote',
    waitsFor: 'approval',
    approvals: { needed: 1, given: [], mayApprove: ['ada'] },
    executionId: null,
  });
  expect(asked.request).not.toHaveProperty('via');
  // Nobody can approve what has ended.
  const toProd = { ...task, lane: { ...task.lane, to: 'prod' }, pusher: { id: 5, login: 'octo' } };
  const ended = describe({ state: 'finished', task: toProd });
  expect(ended.approvals).toEqual({
    needed: 1,
    given: [],
    mayApprove: [],
    comments: [],
    void: [],
    withoutPlan: [],
  });
});

test('a call whose answer may be lost is shown with its time, and no gate is asked for', () => {
  const intent = { effect: 'promote', at, what: 'v1.0.0 to prod' } as const;
  const called = describe({
    step: { name: 'promote', since: at, readBacks: 0 },
    task: { ...task, lane: { ...task.lane, to: 'prod' } },
    intent,
  });
  expect(called.intent).toEqual({ ...intent, at: '2026-01-02T03:04:05.000Z' });
  expect(called.waitsFor).toBeNull();
});

test('a wait for an approval says since when, and is overdue after the time of worker.yaml', () => {
  const toProd = { ...task, lane: { ...task.lane, to: 'prod' }, pusher: { id: 5, login: 'octo' } };
  const day = 86_400_000;
  const waiting = (since: number) =>
    describe({
      task: toProd,
      step: { name: 'promote', since: at, readBacks: 0, waits: { gate: 'approval', since } },
    });
  for (const [since, isOverdue, label] of [
    [at - day + 60_000, false, 'needs approval'],
    [at - 2 * day, true, 'approval overdue'],
  ] as const) {
    const shown = waiting(since);
    expect(shown.approvalWait).toEqual({ since: new Date(since).toISOString(), isOverdue });
    expect(promotionState(shown).label).toBe(label);
  }
});

test('an execution has the address of worker.yaml, and a template that names nothing else', () => {
  const template = 'https://platform.example.com/{project}/{environment}/{pipeline}/{execution}';
  const linked = workerFile(repositoryEntry).replace(
    'token-env: TOKEN',
    `token-env: TOKEN, execution-url: "${template}"`,
  );
  const verify = [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }];
  const verified = { ...polling, task: { ...task, lane: { ...task.lane, verify } } };
  const shown = describePromotion(verified, undefined, {
    config: readWorkerConfig(linked, 'worker.yaml'),
    clock: manualClock(at),
  });
  expect(shown.executionUrl).toBe(`https://platform.example.com/${projectId}/test/daily%2Fload/e1`);
  for (const [wrong, message] of [
    ['https://platform.example.com/', 'must contain {execution}'],
    ['https://platform.example.com/{execution}/{secret}', 'may contain only {execution}, {project}'],
    ['javascript:{execution}', 'must be an http or https address'],
  ] as const)
    expect(() => readWorkerConfig(linked.replace(template, wrong), 'worker.yaml'), wrong).toThrow(message);
});
