import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../../flows/publish/publish.ts';
import { run } from '../../../flows/run/run.ts';
import type { RunRequest } from '../../../flows/run/run-request.ts';
import type { FaultRule } from '../../../platform/faults/fault-schema.ts';
import { instantClock } from '../../client/instant-clock.ts';
import { createFlowEnvironment, smallPipeline, source, type FlowEnvironment } from '../flow-environment.ts';
import { shortLimit } from './short-limit.ts';

const request: RunRequest = {
  pipeline: 'daily/load',
  environment: 'dev',
  timeoutMs: 60_000,
  onTimeout: 'terminate',
  onCancel: 'terminate',
  onConflict: 'fail',
  wait: true,
  dryRun: false,
};

describe('errors around an execution', () => {
  let env: FlowEnvironment;
  beforeEach(async () => {
    env = await createFlowEnvironment({
      seed: { executions: [{ pipeline: 'daily/slow', component: 'Work', after: '60m' }] },
    });
    env.work.write('daily/load.orch.yaml', smallPipeline);
    env.work.write('daily/slow.orch.yaml', smallPipeline);
    env.work.commit('Pipelines');
    await publish(
      { ...source(env), version: '1', environment: 'dev', connectors: false, dryRun: false },
      env.context,
    );
  });
  afterEach(() => env[Symbol.asyncDispose]());

  const slow: RunRequest = { ...request, pipeline: 'daily/slow' };
  const polls = (...rules: Omit<FaultRule, 'operation'>[]) =>
    env.platform.faults.set(rules.map((rule) => ({ ...rule, operation: 'executions.get' as const })));
  const starts = () => env.platform.ledger({ operation: 'executions.start' });
  const statusOf = async (id: string | undefined) => {
    const { client, projectId } = env.context;
    return (await client.executions.get({ projectId, pipelineExecutionId: id ?? '' })).result.status;
  };
  const tag = () => `millrace/${env.context.projectId}/dev/daily/`;

  test.each<[string, Omit<FaultRule, 'operation'>]>([
    ['server errors', { status: 503, times: 9 }],
    ['a web page in place of the answer', { status: 200, body: '<!doctype html><p>Back soon', times: 1 }],
    ['a 404', { status: 404, times: 1 }],
    ['a 401', { status: 401, times: 1 }],
    ['resets', { wire: 'reset-before', times: 5 }],
    ['a redirect', { status: 302, headers: { location: 'https://login.example.com' }, times: 1 }],
  ])('%s that passes while it is polled does not end the wait', async (_, fault) => {
    polls(fault);
    expect(await run(request, env.context)).toMatchObject({ outcome: 'passed', status: 'SUCCESS' });
    expect(starts()).toHaveLength(1);
  });

  test('the wait that a failing platform asks for is kept within the time limit', async () => {
    const waits: number[] = [];
    const { clock } = env.context;
    const context = {
      ...env.context,
      clock: {
        now: clock.now,
        sleep: async (ms: number, signal?: AbortSignal) => {
          waits.push(ms);
          await clock.sleep(ms, signal);
        },
      },
    };
    polls({ status: 503, headers: { 'retry-after': '600' }, times: 1 });
    const report = await run({ ...request, timeoutMs: 300_000 }, context);
    expect(report).toMatchObject({ outcome: 'passed' });
    expect(waits[0]).toBeGreaterThan(200_000);
    expect(waits[0]).toBeLessThanOrEqual(300_000);
  });

  test('an execution that cannot be seen until the time limit is unknown, by id, tag and way to attach', async () => {
    polls({ status: 503 });
    const report = await run(...shortLimit({ ...slow, onTimeout: 'detach' }, env.context, 300));
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: true, terminated: false });
    expect(report.tag).toContain(tag());
    expect(report.problem).toContain('503');
    expect(report.hint).toContain(
      `millrace run daily/slow --environment dev --attach ${report.executionId ?? '?'}`,
    );
    env.platform.faults.clear();
    expect(await statusOf(report.executionId)).toBe('RUNNING');
  });

  test('an execution whose polls stay unanswered is terminated at the time limit all the same', async () => {
    polls({ wire: 'silence' });
    const report = await run(...shortLimit(slow, env.context, 300));
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: true, terminated: true });
    env.platform.faults.clear();
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');
  });

  test('an execution that is seen again after the time limit is reported as it ended', async () => {
    env.platform.faults.set([
      { operation: 'executions.get', wire: 'silence', nth: 1 },
      { operation: 'executions.terminate', status: 409 },
    ]);
    const report = await run(...shortLimit(request, env.context, 300));
    expect(report).toMatchObject({
      outcome: 'passed',
      status: 'SUCCESS',
      timedOut: false,
      terminated: false,
    });
  });

  test('an execution that could not be terminated at the time limit is unknown', async () => {
    env.platform.faults.set([{ operation: 'executions.terminate', status: 503 }]);
    const report = await run(...shortLimit(slow, env.context, 300));
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: true, terminated: false });
    expect(report.hint).toContain('--attach');
  });

  test('a 403 ends the wait at once as unknown, and terminates nothing', async () => {
    polls({ status: 403 });
    const report = await run({ ...slow, timeoutMs: 3_600_000 }, env.context);
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: false, terminated: false });
    expect(report.problem).toContain('403');
  });

  test.each([404, 401])('a %d that lasts five minutes ends the wait as unknown', async (status) => {
    polls({ status });
    const clock = instantClock();
    const startTime = clock.now();
    const report = await run({ ...slow, timeoutMs: 3_600_000 }, { ...env.context, clock });
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: false });
    expect(clock.now() - startTime).toBeGreaterThanOrEqual(300_000);
    expect(clock.now() - startTime).toBeLessThan(400_000);
  });

  test('an unanswered start ends at the time limit, is unknown by its tag and is sent once', async () => {
    env.platform.faults.set([{ operation: 'executions.start', wire: 'silence' }]);
    await expect(run({ ...slow, timeoutMs: 1_000 }, env.context)).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining(`${tag()}slow`) as string,
      hint: expect.stringContaining('--attach') as string,
    });
    expect(env.proxy.seen.filter((line) => line.endsWith('/pipeline-executions'))).toHaveLength(1);
  });

  test('a cancel while a start stays unanswered is unknown by its tag', async () => {
    const cancel = new AbortController();
    env.platform.faults.set([{ operation: 'executions.start', wire: 'silence' }]);
    env.proxy.decide((line) => {
      if (line.endsWith('/pipeline-executions')) cancel.abort(new Error('enough'));
      return 'pass';
    });
    await expect(run(slow, { ...env.context, signal: cancel.signal })).rejects.toMatchObject({
      code: 'outcome-unknown',
      exitCode: 4,
      message: expect.stringContaining(`${tag()}slow`) as string,
    });
  });

  test('while a busy tag is waited for, a platform that refuses for a while does not end the wait', async () => {
    const first = await run({ ...slow, wait: false, tag: 'night' }, env.context);
    const { client, projectId } = env.context;
    let waits = 0;
    const progress = {
      step: (sentence: string) => {
        if (!sentence.startsWith('Waiting')) return;
        waits += 1;
        if (waits === 1) env.platform.faults.set([{ operation: 'executions.start', status: 429, times: 3 }]);
        if (waits !== 2) return;
        const id = first.executionId ?? '';
        const input = { projectId, pipelineExecutionId: id, status: 'CANCELLED' as const, forceUpdate: true };
        void client.executions.terminate(input);
      },
    };
    const busy: RunRequest = { ...request, tag: 'night', onConflict: 'wait' };
    expect(await run(busy, { ...env.context, progress })).toMatchObject({ outcome: 'passed' });
  });

  test('attaching to an id that the platform does not know is not found at once', async () => {
    const attach = '00000000-0000-4000-8000-000000000000';
    await expect(run({ ...slow, attach }, env.context)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('attaching waits out passing trouble, and never seeing it is unknown', async () => {
    const { executionId: attach } = await run({ ...request, wait: false }, env.context);
    polls({ status: 503, times: 4 });
    expect(await run({ ...request, attach }, env.context)).toMatchObject({ outcome: 'passed' });
    polls({ status: 503 });
    const limited = shortLimit({ ...slow, attach, onTimeout: 'detach' }, env.context, 300);
    const report = await run(...limited);
    expect(report).toMatchObject({ outcome: 'indeterminate', executionId: attach });
  });
});
