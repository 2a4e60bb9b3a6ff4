import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../../flows/publish/publish.ts';
import { run } from '../../../flows/run/run.ts';
import type { RunRequest } from '../../../flows/run/run-request.ts';
import { setStage, smallPipeline, source, type Stage } from '../stage.ts';

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

const starts = (stage: Stage) => stage.proxy.seen.filter((line) => line.endsWith('/pipeline-executions'));

async function runnable(
  scripted: { pipeline: string; after?: string; outcome?: 'success' | 'failure'; message?: string }[] = [],
) {
  const stage = await setStage({
    seed: { executions: scripted.map((one) => ({ component: 'Work', ...one })) },
  });
  stage.work.write('daily/load.orch.yaml', smallPipeline);
  stage.work.write('daily/slow.orch.yaml', smallPipeline);
  stage.work.write('daily/broken.orch.yaml', smallPipeline);
  stage.work.commit('Pipelines');
  await publish(
    { ...source(stage), version: '1', environment: 'dev', connectors: false, dryRun: false },
    stage.context,
  );
  return stage;
}

describe('running a pipeline', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await runnable([
      { pipeline: 'daily/slow', after: '5m' },
      { pipeline: 'daily/broken', outcome: 'failure', message: 'the table is locked' },
    ]);
  });
  afterEach(() => stage[Symbol.asyncDispose]());

  const statusOf = async (id: string | undefined) => {
    const { client, projectId } = stage.context;
    return (await client.executions.get({ projectId, pipelineExecutionId: id ?? '' })).result.status;
  };

  test('waits for its end, with a tag made from project, environment and pipeline', async () => {
    const report = await run(request, stage.context);

    expect(report).toMatchObject({ outcome: 'passed', status: 'SUCCESS', terminated: false });
    expect(report.tag).toBe(`millrace/${stage.context.projectId}/dev/daily/load`);
    expect(Date.parse(report.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(report.startedAt ?? ''));
  });

  test('two spellings of one pipeline have one tag, so the second start is refused while the first runs', async () => {
    const slow = { ...request, wait: false };
    const first = await run({ ...slow, pipeline: 'daily/slow' }, stage.context);

    await expect(run({ ...slow, pipeline: 'daily/slow.orch.yaml' }, stage.context)).rejects.toMatchObject({
      code: 'execution-tag-conflict',
    });
    const planned = await run({ ...slow, pipeline: './daily//slow.orch.yaml', dryRun: true }, stage.context);
    const shouting = { ...stage.context, projectId: stage.context.projectId.toUpperCase() };
    const upper = await run({ ...slow, pipeline: '/daily/slow', dryRun: true }, shouting);
    expect([planned.tag, upper.tag]).toEqual([first.tag, first.tag]);
  });

  test('a failed execution is failed, with the platform’s message', async () => {
    const report = await run({ ...request, pipeline: 'daily/broken' }, stage.context);
    expect(report).toMatchObject({ outcome: 'failed', status: 'FAILED' });
    expect(report.message).toContain('the table is locked');
  });

  test('at the time limit the execution is terminated, or left running where that was asked', async () => {
    const report = await run({ ...request, pipeline: 'daily/slow', timeoutMs: 100 }, stage.context);
    expect(report).toMatchObject({ outcome: 'failed', timedOut: true, terminated: true });
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');

    const left = await run(
      { ...request, pipeline: 'daily/slow', timeoutMs: 100, onTimeout: 'detach' },
      stage.context,
    );
    expect(left).toMatchObject({ outcome: 'failed', timedOut: true, terminated: false });
    expect(await statusOf(left.executionId)).toBe('RUNNING');
  });

  test('a cancel terminates the execution', async () => {
    const cancel = new AbortController();
    const context = {
      ...stage.context,
      signal: cancel.signal,
      progress: { step: (sentence: string) => sentence.includes('running') && cancel.abort() },
    };
    const report = await run({ ...request, pipeline: 'daily/slow' }, context);

    expect(report).toMatchObject({ outcome: 'cancelled', terminated: true });
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');
  });

  test('a busy tag is refused, skipped or waited for', async () => {
    const first = await run({ ...request, pipeline: 'daily/slow', tag: 'night', wait: false }, stage.context);
    const busy = { ...request, tag: 'night' };

    await expect(run(busy, stage.context)).rejects.toMatchObject({
      code: 'execution-tag-conflict',
      exitCode: 1,
    });
    expect(await run({ ...busy, onConflict: 'skip' }, stage.context)).toMatchObject({
      outcome: 'nothing-to-do',
    });

    const { client, projectId } = stage.context;
    const context = {
      ...stage.context,
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
    stage.proxy.decide((line) =>
      line.startsWith('POST') && line.endsWith('/pipeline-executions') ? 'lose-answer' : 'pass',
    );

    await expect(run(request, stage.context)).rejects.toMatchObject({ code: 'outcome-unknown', exitCode: 4 });
    expect(starts(stage)).toHaveLength(1);
  });

  test('an attached execution is watched and none is started', async () => {
    const first = await run({ ...request, wait: false }, stage.context);
    const report = await run({ ...request, attach: first.executionId }, stage.context);

    expect(report).toMatchObject({ outcome: 'passed', executionId: first.executionId });
    expect(starts(stage)).toHaveLength(1);
  });

  test('an attached execution needs neither pipeline nor environment, and is given no tag', async () => {
    const { executionId: attach } = await run({ ...request, wait: false }, stage.context);
    const bare = { ...request, pipeline: undefined, environment: undefined, attach };
    const report = await run(bare, stage.context);

    expect(report).toMatchObject({ outcome: 'passed', executionId: attach });
    for (const unknown of ['tag', 'pipeline', 'environment']) expect(report).not.toHaveProperty(unknown);
    expect(await run({ ...bare, tag: 'night' }, stage.context)).toHaveProperty('tag', 'night');
  });

  test('a start without an environment is refused before anything is sent', async () => {
    await expect(run({ ...request, environment: undefined }, stage.context)).rejects.toMatchObject({
      code: 'usage',
      where: { input: 'environment' },
    });
    expect(starts(stage)).toHaveLength(0);
  });

  test('an unknown pipeline is not found, and a dry run starts nothing', async () => {
    await expect(run({ ...request, pipeline: 'no/such' }, stage.context)).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await run({ ...request, dryRun: true }, stage.context)).toMatchObject({
      outcome: 'passed',
      dryRun: true,
    });
    expect(starts(stage)).toHaveLength(1);
  });
});
