import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultRule } from '../../../platform/faults/fault-schema.ts';
import { createCliEnvironment, type CliEnvironment } from '../cli-environment.ts';

describe('a command that waits', () => {
  let testEnvironment: CliEnvironment;
  beforeEach(async () => {
    testEnvironment = await createCliEnvironment();
  });
  afterEach(() => testEnvironment[Symbol.asyncDispose]());

  const publish = ['publish', '--version', '1.0.0', '--environment', 'dev', '--json'];
  const run = ['run', 'daily/slow', '--environment', 'dev'];
  const faults = (...rules: FaultRule[]) => testEnvironment.platform.faults.set(rules);
  const starts = () => testEnvironment.platform.ledger({ operation: 'executions.start' });
  const statusOf = async (pipelineExecutionId: string) => {
    const { projectId } = testEnvironment.platform;
    return (await testEnvironment.client.executions.get({ projectId, pipelineExecutionId })).result.status;
  };
  const credentials = () => ({
    MILLRACE_TOKEN: '',
    MILLRACE_CLIENT_ID: 'ci',
    MILLRACE_CLIENT_SECRET: 'hidden-secret',
    MILLRACE_TOKEN_URL: `${testEnvironment.platform.baseUrl}/oauth/token`,
  });

  test('waits for a failing platform, and then reports the unknown status and how to attach', async () => {
    await testEnvironment.run(publish);
    faults({ operation: 'executions.get', status: 503 });
    const ended = await testEnvironment.run([...run, '--timeout', '3s', '--on-timeout', 'detach', '--json']);
    expect(ended.code).toBe(4);
    const report = JSON.parse(ended.stdout) as { executionId: string; tag: string; hint: string };
    expect(report).toMatchObject({ outcome: 'indeterminate', timedOut: true, terminated: false });
    expect(report.hint).toContain(`--attach ${report.executionId}`);
    expect(ended.stderr).not.toContain('Try again');

    faults({ operation: 'executions.get', status: 503, times: 6 });
    await using attached = testEnvironment.start([...run, '--attach', report.executionId]);
    await attached.until('stderr', /daily\/slow: running/);
    attached.send('SIGINT');
    expect((await attached.ended).code).toBe(130);
    await expect.poll(() => statusOf(report.executionId)).toBe('CANCELLED');
    expect(starts()).toHaveLength(1);
  });

  test('ends an unanswered start at its time limit, and prints the tag', async () => {
    await testEnvironment.run(publish);
    faults({ operation: 'executions.start', wire: 'silence' });
    const ended = await testEnvironment.run([...run, '--timeout', '2s']);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr).toContain(`millrace/${testEnvironment.platform.projectId}/dev/daily/slow`);
  });

  test('ends at its time limit while it waits for a token, without a start', async () => {
    await testEnvironment.run(publish);
    faults({ operation: 'oauth.token', wire: 'silence' });
    const ended = await testEnvironment.run([...run, '--timeout', '2s'], credentials());
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('gave no token within');
    expect(starts()).toHaveLength(0);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('ends on %s while it waits for a token', async (signal) => {
    faults({ operation: 'oauth.token', wire: 'silence' });
    const arrived = () => testEnvironment.platform.faults.list().rules[0]?.struck;
    await using running = testEnvironment.start(run, credentials());
    await expect.poll(arrived).toBe(1);
    running.send(signal);
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
  });

  test('prints the tag after a cancel during an unanswered start', async () => {
    await testEnvironment.run(publish);
    faults({ operation: 'executions.start', wire: 'silence', processed: true });
    await using running = testEnvironment.start(run);
    await expect.poll(() => starts().length).toBe(1);
    running.send('SIGINT');
    const ended = await running.ended;
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain(`millrace/${testEnvironment.platform.projectId}/dev/daily/slow`);
    expect(ended.stderr).toContain('outcome-unknown');
  });
});
