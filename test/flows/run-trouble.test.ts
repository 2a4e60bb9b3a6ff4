import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../flows/publish/publish.ts';
import { run } from '../../flows/run/run.ts';
import type { RunRequest } from '../../flows/run/run-request.ts';
import type { FaultRule } from '../../platform/faults/fault-schema.ts';
import { impatientClock } from '../client/impatient-clock.ts';
import { setStage, smallPipeline, source, type Stage } from './stage.ts';

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

describe('trouble around an execution', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage({
      seed: { executions: [{ pipeline: 'daily/slow', component: 'Work', after: '60m' }] },
    });
    stage.work.write('daily/load.orch.yaml', smallPipeline);
    stage.work.write('daily/slow.orch.yaml', smallPipeline);
    stage.work.commit('Pipelines');
    await publish(
      { ...source(stage), version: '1', environment: 'dev', connectors: false, dryRun: false },
      stage.context,
    );
  });
  afterEach(() => stage[Symbol.asyncDispose]());

  const slow: RunRequest = { ...request, pipeline: 'daily/slow', timeoutMs: 300 };
  const polls = (...rules: Omit<FaultRule, 'operation'>[]) =>
    stage.platform.faults.set(rules.map((rule) => ({ ...rule, operation: 'executions.get' as const })));
  const starts = () => stage.platform.ledger({ operation: 'executions.start' });
  const statusOf = async (id: string | undefined) => {
    const { client, projectId } = stage.context;
    return (await client.executions.get({ projectId, pipelineExecutionId: id ?? '' })).result.status;
  };
  const tag = () => `millrace/${stage.context.projectId}/dev/daily/`;

  test.each<[string, Omit<FaultRule, 'operation'>]>([
    ['server errors', { status: 503, times: 9 }],
    ['a web page in place of the answer', { status: 200, body: '<!doctype html><p>Back soon', times: 1 }],
    ['a 404', { status: 404, times: 1 }],
    ['a 401', { status: 401, times: 1 }],
    ['resets', { wire: 'reset-before', times: 5 }],
    ['a redirect', { status: 302, headers: { location: 'https://login.example.com' }, times: 1 }],
  ])('%s that passes while it is polled does not end the wait', async (_, fault) => {
    polls(fault);
    expect(await run(request, stage.context)).toMatchObject({ outcome: 'passed', status: 'SUCCESS' });
    expect(starts()).toHaveLength(1);
  });

  test('the wait that a failing platform asks for is kept within the time limit', async () => {
    const waits: number[] = [];
    const { clock } = stage.context;
    const context = {
      ...stage.context,
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
    const report = await run({ ...slow, onTimeout: 'detach' }, stage.context);
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: true, terminated: false });
    expect(report.tag).toContain(tag());
    expect(report.problem).toContain('503');
    expect(report.hint).toContain(
      `millrace run daily/slow --environment dev --attach ${report.executionId ?? '?'}`,
    );
    stage.platform.faults.clear();
    expect(await statusOf(report.executionId)).toBe('RUNNING');
  });

  test('an execution whose polls stay unanswered is terminated at the time limit all the same', async () => {
    polls({ wire: 'silence' });
    const report = await run(slow, stage.context);
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: true, terminated: true });
    stage.platform.faults.clear();
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');
  });

  test('an execution that is seen again after the time limit is reported as it ended', async () => {
    stage.platform.faults.set([
      { operation: 'executions.get', wire: 'silence', nth: 1 },
      { operation: 'executions.terminate', status: 409 },
    ]);
    const report = await run({ ...request, timeoutMs: 300 }, stage.context);
    expect(report).toMatchObject({
      outcome: 'passed',
      status: 'SUCCESS',
      timedOut: false,
      terminated: false,
    });
  });

  test('an execution that could not be terminated at the time limit is unknown', async () => {
    stage.platform.faults.set([{ operation: 'executions.terminate', status: 503 }]);
    const report = await run(slow, stage.context);
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: true, terminated: false });
    expect(report.hint).toContain('--attach');
  });

  test('a 403 ends the wait at once as unknown, and terminates nothing', async () => {
    polls({ status: 403 });
    const report = await run({ ...slow, timeoutMs: 3_600_000 }, stage.context);
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: false, terminated: false });
    expect(report.problem).toContain('403');
  });

  test.each([404, 401])('a %d that lasts five minutes ends the wait as unknown', async (status) => {
    polls({ status });
    const clock = impatientClock();
    const begun = clock.now();
    const report = await run({ ...slow, timeoutMs: 3_600_000 }, { ...stage.context, clock });
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: false });
    expect(clock.now() - begun).toBeGreaterThanOrEqual(300_000);
    expect(clock.now() - begun).toBeLessThan(400_000);
  });

  test('an unanswered start ends at the time limit, is unknown by its tag and is sent once', async () => {
    stage.platform.faults.set([{ operation: 'executions.start', wire: 'silence' }]);
    await expect(run(slow, stage.context)).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining(`${tag()}slow`) as string,
      hint: expect.stringContaining('--attach') as string,
    });
    expect(stage.proxy.seen.filter((line) => line.endsWith('/pipeline-executions'))).toHaveLength(1);
  });

  test('a cancel while a start stays unanswered is unknown by its tag', async () => {
    const cancel = new AbortController();
    stage.platform.faults.set([{ operation: 'executions.start', wire: 'silence' }]);
    stage.proxy.decide((line) => {
      if (line.endsWith('/pipeline-executions')) cancel.abort(new Error('enough'));
      return 'pass';
    });
    await expect(
      run({ ...slow, timeoutMs: 60_000 }, { ...stage.context, signal: cancel.signal }),
    ).rejects.toMatchObject({
      code: 'outcome-unknown',
      exitCode: 4,
      message: expect.stringContaining(`${tag()}slow`) as string,
    });
  });

  test('while a busy tag is waited for, a platform that refuses for a while does not end the wait', async () => {
    const first = await run({ ...slow, wait: false, tag: 'night' }, stage.context);
    const { client, projectId } = stage.context;
    let waits = 0;
    const progress = {
      step: (sentence: string) => {
        if (!sentence.startsWith('Waiting')) return;
        waits += 1;
        if (waits === 1)
          stage.platform.faults.set([{ operation: 'executions.start', status: 429, times: 3 }]);
        if (waits !== 2) return;
        const id = first.executionId ?? '';
        const input = { projectId, pipelineExecutionId: id, status: 'CANCELLED' as const, forceUpdate: true };
        void client.executions.terminate(input);
      },
    };
    const busy: RunRequest = { ...request, tag: 'night', onConflict: 'wait' };
    expect(await run(busy, { ...stage.context, progress })).toMatchObject({ outcome: 'passed' });
  });

  test('attaching to an id that the platform does not know is not found at once', async () => {
    const attach = '00000000-0000-4000-8000-000000000000';
    await expect(run({ ...slow, attach }, stage.context)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('attaching waits out passing trouble, and never seeing it is unknown', async () => {
    const { executionId: attach } = await run({ ...request, wait: false }, stage.context);
    polls({ status: 503, times: 4 });
    expect(await run({ ...request, attach }, stage.context)).toMatchObject({ outcome: 'passed' });
    polls({ status: 503 });
    const report = await run({ ...slow, attach, onTimeout: 'detach' }, stage.context);
    expect(report).toMatchObject({ outcome: 'indeterminate', executionId: attach });
  });
});
