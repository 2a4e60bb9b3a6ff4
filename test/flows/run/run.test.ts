import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seed } from '../../../platform/index.ts';
import { publish } from '../../../flows/publish/publish.ts';
import { notStartedInTime } from '../../../flows/run/execution-status.ts';
import { run } from '../../../flows/run/run.ts';
import type { RunRequest } from '../../../flows/run/run-request.ts';
import { createFlowEnvironment, smallPipeline, source, type FlowEnvironment } from '../flow-environment.ts';
import { shortLimit } from './short-limit.ts';

const request: RunRequest = {
  pipeline: 'daily/load',
  environment: 'dev',
  timeoutMs: 20_000,
  onTimeout: 'terminate',
  onCancel: 'terminate',
  onConflict: 'fail',
  wait: true,
  dryRun: false,
};

const starts = (env: FlowEnvironment) =>
  env.proxy.seen.filter((line) => line.endsWith('/pipeline-executions'));

async function runnable(
  scripted: { pipeline: string; after?: string; outcome?: 'success' | 'failure'; message?: string }[] = [],
  agents: NonNullable<Seed['agents']> = {},
) {
  const env = await createFlowEnvironment({
    seed: { executions: scripted.map((one) => ({ component: 'Work', ...one })), agents },
  });
  env.work.write('daily/load.orch.yaml', smallPipeline);
  env.work.write('daily/slow.orch.yaml', smallPipeline);
  env.work.write('daily/broken.orch.yaml', smallPipeline);
  env.work.commit('Pipelines');
  await publish(
    { ...source(env), version: '1', environment: 'dev', connectors: false, dryRun: false },
    env.context,
  );
  return env;
}

describe('running a pipeline', () => {
  let env: FlowEnvironment;
  beforeEach(async () => {
    env = await runnable([
      { pipeline: 'daily/slow', after: '5m' },
      { pipeline: 'daily/broken', outcome: 'failure', message: 'the table is locked' },
    ]);
  });
  afterEach(() => env[Symbol.asyncDispose]());

  const statusOf = async (id: string | undefined) => {
    const { client, projectId } = env.context;
    return (await client.executions.get({ projectId, pipelineExecutionId: id ?? '' })).result.status;
  };

  test('a pipeline that is not published is reported with the one that was meant', async () => {
    await expect(run({ ...request, pipeline: 'daily/laod' }, env.context)).rejects.toMatchObject({
      code: 'not-found',
      where: { input: 'pipeline' },
      message: 'The project has no published pipeline "daily/laod".',
      hint: expect.stringMatching(/^Did you mean "daily\/load"\?/) as string,
    });
  });

  test('waits for its end, with a tag made from project, environment and pipeline', async () => {
    const report = await run(request, env.context);

    expect(report).toMatchObject({ outcome: 'passed', status: 'SUCCESS', terminated: false });
    expect(report.tag).toBe(`millrace/${env.context.projectId}/dev/daily/load`);
    expect(Date.parse(report.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(report.startedAt ?? ''));
  });

  test('two spellings of one pipeline have one tag, so the second start is refused while the first runs', async () => {
    const slow = { ...request, wait: false };
    const first = await run({ ...slow, pipeline: 'daily/slow' }, env.context);

    await expect(run({ ...slow, pipeline: 'daily/slow.orch.yaml' }, env.context)).rejects.toMatchObject({
      code: 'execution-tag-conflict',
    });
    const planned = await run({ ...slow, pipeline: './daily//slow.orch.yaml', dryRun: true }, env.context);
    const shouting = { ...env.context, projectId: env.context.projectId.toUpperCase() };
    const upper = await run({ ...slow, pipeline: '/daily/slow', dryRun: true }, shouting);
    expect([planned.tag, upper.tag]).toEqual([first.tag, first.tag]);
  });

  test('a failed execution is failed, with the platform’s message', async () => {
    const report = await run({ ...request, pipeline: 'daily/broken' }, env.context);
    expect(report).toMatchObject({ outcome: 'failed', status: 'FAILED' });
    expect(report.message).toContain('the table is locked');
  });

  test('at the time limit the execution is terminated, or left running where that was asked', async () => {
    const slow = { ...request, pipeline: 'daily/slow' };
    const report = await run(...shortLimit(slow, env.context, 100));
    expect(report).toMatchObject({ outcome: 'failed', timedOut: true, terminated: true });
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');

    const left = await run(...shortLimit({ ...slow, onTimeout: 'detach' }, env.context, 100));
    expect(left).toMatchObject({ outcome: 'failed', timedOut: true, terminated: false });
    expect(await statusOf(left.executionId)).toBe('RUNNING');
  });

  test('a cancel terminates the execution', async () => {
    const cancel = new AbortController();
    const context = {
      ...env.context,
      signal: cancel.signal,
      progress: { step: (sentence: string) => sentence.includes('running') && cancel.abort() },
    };
    const report = await run({ ...request, pipeline: 'daily/slow' }, context);

    expect(report).toMatchObject({ outcome: 'cancelled', terminated: true });
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');
  });

  test('a busy tag is refused, skipped or waited for', async () => {
    const first = await run({ ...request, pipeline: 'daily/slow', tag: 'night', wait: false }, env.context);
    const busy = { ...request, tag: 'night' };

    await expect(run(busy, env.context)).rejects.toMatchObject({
      code: 'execution-tag-conflict',
      exitCode: 1,
    });
    expect(await run({ ...busy, onConflict: 'skip' }, env.context)).toMatchObject({
      outcome: 'nothing-to-do',
    });

    const { client, projectId } = env.context;
    const context = {
      ...env.context,
      progress: {
        step: (sentence: string) => {
          if (!sentence.startsWith('Waiting')) return;
          void client.executions.terminate({
            projectId,
            pipelineExecutionId: first.executionId ?? '',
            status: 'CANCELLED',
            forceUpdate: true,
          });
        },
      },
    };
    expect(await run({ ...busy, onConflict: 'wait' }, context)).toMatchObject({ outcome: 'passed' });
  });

  test('a start whose answer was lost is unknown and is not sent again', async () => {
    env.proxy.decide((line) =>
      line.startsWith('POST') && line.endsWith('/pipeline-executions') ? 'lose-answer' : 'pass',
    );

    await expect(run(request, env.context)).rejects.toMatchObject({ code: 'outcome-unknown', exitCode: 4 });
    expect(starts(env)).toHaveLength(1);
  });

  test('an attached execution is watched and none is started', async () => {
    const first = await run({ ...request, wait: false }, env.context);
    const report = await run({ ...request, attach: first.executionId }, env.context);

    expect(report).toMatchObject({ outcome: 'passed', executionId: first.executionId });
    expect(starts(env)).toHaveLength(1);
  });

  test('an attached execution needs neither pipeline nor environment, and is given no tag', async () => {
    const { executionId: attach } = await run({ ...request, wait: false }, env.context);
    const bare = { ...request, pipeline: undefined, environment: undefined, attach };
    const report = await run(bare, env.context);

    expect(report).toMatchObject({ outcome: 'passed', executionId: attach });
    for (const unknown of ['tag', 'pipeline', 'environment']) expect(report).not.toHaveProperty(unknown);
    expect(await run({ ...bare, tag: 'night' }, env.context)).toHaveProperty('tag', 'night');
  });

  test('a start without an environment is refused before anything is sent', async () => {
    await expect(run({ ...request, environment: undefined }, env.context)).rejects.toMatchObject({
      code: 'usage',
      where: { input: 'environment' },
    });
    expect(starts(env)).toHaveLength(0);
  });

  test('an unknown pipeline is not found, and a dry run starts nothing', async () => {
    await expect(run({ ...request, pipeline: 'no/such' }, env.context)).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await run({ ...request, dryRun: true }, env.context)).toMatchObject({
      outcome: 'passed',
      dryRun: true,
    });
    expect(starts(env)).toHaveLength(1);
  });
});

describe('a runner that takes no execution', () => {
  const agent = '11111111-2222-4333-8444-555555555555';
  const on = (state: 'paused' | 'stopped') => runnable([], { [agent]: { name: 'one', state } });

  test('paused: the execution stays queued until the time limit, and is terminated', async () => {
    await using env = await on('paused');
    const [limited, context] = shortLimit(request, env.context, 50);
    const report = await run(limited, context);
    expect(report).toMatchObject({
      outcome: 'failed',
      timedOut: true,
      terminated: true,
      status: 'QUEUED',
      message: 'Waiting: the runner "one" is paused.',
    });
    expect(report.startedAt).toBeUndefined();
    expect(notStartedInTime('daily/load in dev', report.message)).toBe(
      'daily/load in dev was still queued at its time limit, because no runner of the platform started it (Waiting: the runner "one" is paused)',
    );
  });

  test('stopped: the run fails with the status FORBIDDEN and the platform’s reason', async () => {
    await using env = await on('stopped');
    expect(await run(request, env.context)).toMatchObject({
      outcome: 'failed',
      timedOut: false,
      status: 'FORBIDDEN',
      message: 'The runner "one" is stopped, so it takes no execution.',
    });
  });
});
