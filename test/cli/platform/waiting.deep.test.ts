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
  const statusOf = async (pipelineExecutionId: string) => {
    const { projectId } = testEnvironment.platform;
    return (await testEnvironment.client.executions.get({ projectId, pipelineExecutionId })).result.status;
  };

  test('terminates an execution with unanswered polls at its time limit', async () => {
    await testEnvironment.run(publish);
    faults({ operation: 'executions.get', wire: 'silence' });
    const ended = await testEnvironment.run([...run, '--timeout', '2s']);
    expect(ended.code).toBe(4);
    const [, id = ''] = /tag: millrace\/.*, execution: (\S+),/.exec(ended.stdout) ?? [];
    testEnvironment.platform.faults.clear();
    await expect.poll(() => statusOf(id)).toBe('CANCELLED');
  });

  test('ends a review at its time limit if the platform does not answer', async () => {
    faults({ operation: 'reviews.create', wire: 'silence' });
    const ended = await testEnvironment.run(['review', '--agent-version', '9.0.0', '--timeout', '2s']);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('did not finish the review of 2 files within the time limit');
    expect(testEnvironment.platform.requests().counts['reviews.create']).toBe(1);
  });
});
