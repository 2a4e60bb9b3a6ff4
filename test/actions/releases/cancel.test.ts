import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import type { RunOptions, RunResult } from '../../runner/run-action.ts';
import { createRunEnvironment, type ActionEnvironment } from '../action-environment.ts';

let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createRunEnvironment();
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

/** As where the job's clean-up or another step broke what was checked out. */
function removeRepositories(): void {
  for (const name of readdirSync(testEnvironment.folder).filter((one) => one.startsWith('workspace-')))
    rmSync(join(testEnvironment.folder, name, '.git'), { recursive: true, force: true });
}

const deaf = { NODE_OPTIONS: `--import=${new URL('../deaf-main.mjs', import.meta.url).href}` };

/** Starts a run that would take an hour, and cancels the workflow as soon as it is running. */
async function cancelled(
  action: string,
  inputs: Readonly<Record<string, string>> = {},
  { onCancel, ...more }: Partial<RunOptions> & { readonly onCancel?: () => void } = {},
): Promise<RunResult> {
  const cancel = new AbortController();
  const given = { pipeline: 'daily/load', environment: 'dev', ...inputs };
  return await testEnvironment.push('refs/tags/v1.0.0', {
    action,
    inputs: given,
    more: {
      ...more,
      signal: cancel.signal,
      onLine: (line) => {
        if (!/daily\/load: running/u.test(line)) return;
        onCancel?.();
        cancel.abort();
      },
    },
  });
}

async function statusOf(id: string | undefined): Promise<string> {
  const { baseUrl, projectId, tokens } = testEnvironment.platform;
  await using client = createClient({ baseUrl, auth: { token: tokens.admin } });
  const input = { projectId, pipelineExecutionId: id ?? '' };
  return (await client.executions.get(input)).result.status;
}

const ofId = /Terminating execution (\S+)/u;
const killed = { env: deaf, cancelTimes: { interrupt: 50, terminate: 50 } };

describe.each([
  ['the run action', 'actions/run'],
  ['the composite release', 'actions/release'],
])('%s, when the workflow is cancelled', (_, action) => {
  test('terminates the execution before it ends', async () => {
    const result = await cancelled(action);
    expect([result.outcome, result.exitCode]).toEqual(['cancelled', 130]);
    await expect.poll(() => statusOf(result.outputs['execution-id'])).toBe('CANCELLED');
    expect(result.log.match(new RegExp(ofId, 'gu'))).toHaveLength(1);
  });

  test('terminates the execution afterwards if the step was killed', async () => {
    const result = await cancelled(action, {}, killed);
    expect([result.outcome, result.exitCode]).toEqual(['cancelled', 137]);
    const [, id] = ofId.exec(result.log) ?? [];
    expect(result.outputs['execution-id']).toBe(id);
    await expect.poll(() => statusOf(id)).toBe('CANCELLED');
    expect(result.summary).toContain('of the cancelled step was terminated');
  });

  test('terminates the execution afterwards even if the repository was removed', async () => {
    const result = await cancelled(action, {}, { ...killed, onCancel: removeRepositories });
    const [, id] = ofId.exec(result.log) ?? [];
    await expect.poll(() => statusOf(id)).toBe('CANCELLED');
    expect(result.summary).toContain('of the cancelled step was terminated');
  });

  test.each([
    ['', {}],
    [' and the step was killed', killed],
  ])('leaves it running where that was asked%s', async (__, more) => {
    const result = await cancelled(action, { 'on-cancel': 'detach' }, more);
    expect(result.log).not.toContain('Terminating');
    expect(await statusOf(result.outputs['execution-id'])).toBe('RUNNING');
  });
});

test('post does not terminate an execution that has ended', async () => {
  const inputs = { pipeline: 'daily/load', environment: 'dev', timeout: '1s', 'on-timeout': 'detach' };
  const result = await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/run', inputs });
  expect([result.exitCode, result.outputs['finished']]).toEqual([1, 'true']);
  expect(await statusOf(result.outputs['execution-id'])).toBe('RUNNING');
});
