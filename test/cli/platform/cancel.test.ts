import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openHeldLine } from './held-line.ts';
import { startMillrace } from '../millrace.ts';
import { createCliEnvironment, type CliEnvironment } from '../cli-environment.ts';

describe('Ctrl-C', () => {
  let testEnvironment: CliEnvironment;
  beforeEach(async () => {
    testEnvironment = await createCliEnvironment();
  });
  afterEach(() => testEnvironment[Symbol.asyncDispose]());

  const publish = ['publish', '--version', '1.0.0', '--environment', 'dev', '--json'];
  const run = ['run', 'daily/slow', '--environment', 'dev', '--json'];

  const statusOf = async (pipelineExecutionId: string) => {
    const { projectId } = testEnvironment.platform;
    return (await testEnvironment.client.executions.get({ projectId, pipelineExecutionId })).result.status;
  };
  const reportOf = (stdout: string) =>
    JSON.parse(stdout) as { outcome: string; terminated: boolean; executionId: string };

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'while an execution runs terminates it on the platform and ends in 130 (%s)',
    async (signal) => {
      await testEnvironment.run(publish);
      await using running = testEnvironment.start(run);
      await running.until('stderr', /daily\/slow: running/);
      running.send(signal);
      const ended = await running.ended;
      expect(ended.code).toBe(130);
      const report = reportOf(ended.stdout);
      expect(report).toMatchObject({ outcome: 'cancelled', terminated: true });
      expect(ended.stderr).toContain(`Terminating execution ${report.executionId}`);
      await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');
    },
  );

  test('leaves the execution running with --on-cancel detach', async () => {
    await testEnvironment.run(publish);
    await using running = testEnvironment.start([...run, '--on-cancel', 'detach']);
    await running.until('stderr', /daily\/slow: running/);
    running.send('SIGINT');
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    const report = reportOf(ended.stdout);
    expect(report).toMatchObject({ outcome: 'cancelled', terminated: false });
    expect(await statusOf(report.executionId)).toBe('RUNNING');
  });

  test('during a start waits for the answer, and terminates the started execution', async () => {
    await testEnvironment.run(publish);
    await using line = await openHeldLine(testEnvironment.platform.baseUrl, {
      request: /^POST \S+\/pipeline-executions /,
      at: 'answer',
    });
    await using running = testEnvironment.start([...run, '--base-url', line.url]);
    await line.held;
    running.send('SIGINT');
    await running.until('stderr', /Stopping/);
    line.release();
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    const report = reportOf(ended.stdout);
    expect(report).toMatchObject({ outcome: 'cancelled', terminated: true });
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');
  });

  test('during an upload leaves no version, so that it can be published again', async () => {
    await using line = await openHeldLine(testEnvironment.platform.baseUrl, {
      request: /^POST \S+\/artifacts /,
      at: 'upload',
    });
    await using running = testEnvironment.start([...publish, '--base-url', line.url]);
    await line.held;
    running.send('SIGINT');
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      outcome: 'cancelled',
      error: { code: 'cancelled', hint: expect.stringContaining('whether the request took effect') },
    });
    expect(ended.stderr).not.toMatch(/\n {4}at /);
    expect(await testEnvironment.versions('dev')).toEqual({});
    expect(JSON.parse((await testEnvironment.run(publish)).stdout)).toMatchObject({ outcome: 'passed' });
  });

  test('while waiting for standard input ends the command', async () => {
    await using running = startMillrace(['api', 'projects.create', '--body', '-'], {
      env: testEnvironment.env,
      keepInputOpen: true,
    });
    await running.until('stderr', /Reading standard input/);
    running.send('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
  });

  test('twice ends the command at once', async () => {
    await using line = await openHeldLine(testEnvironment.platform.baseUrl, {
      request: /^POST /,
      at: 'answer',
    });
    await using running = testEnvironment.start([...run, '--base-url', line.url]);
    await line.held;
    running.send('SIGINT');
    await running.until('stderr', /Stopping/);
    // An orderly end would have printed the status of the execution.
    expect(await running.sendAgain('SIGINT')).toMatchObject({ code: 130, stdout: '' });
  });
});
