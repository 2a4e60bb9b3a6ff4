import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliEnvironment, createCliEnvironment } from '../cli-environment.ts';

const agent = '11111111-2222-4333-8444-555555555555';
let environment: CliEnvironment;

beforeEach(async () => {
  environment = await createCliEnvironment({ agents: { [agent]: { name: 'one', state: 'running' } } });
  await environment.run(['publish', '--version', '1.0.0', '--environment', 'dev']);
});
afterEach(() => environment[Symbol.asyncDispose]());

async function set(action: 'pause' | 'stop'): Promise<void> {
  const answer = await fetch(`${environment.platform.baseUrl}/_platform/runners/${agent}/${action}`, {
    method: 'POST',
    headers: { 'x-millrace-platform': '1' },
  });
  expect(answer.ok).toBe(true);
}

const command = ['run', 'daily/load', '--environment', 'dev', '--timeout', '1s'];

test('`millrace run` whose execution stays queued says so at its time limit, and exits with 1', async () => {
  await set('pause');
  const { code, stdout } = await environment.run(command);
  expect(stdout).toMatch(
    /^The platform says:\n {2}Waiting: the runner "one" is paused\.\n\nThe execution was terminated\.\ntag: .*, status: QUEUED\ndaily\/load in dev was still queued at its time limit, because no runner of the platform started it \(Waiting: the runner "one" is paused\)\.\n$/,
  );
  expect(code).toBe(1);
});

test('`millrace run --json` of an execution that stays queued has its status and the message', async () => {
  await set('pause');
  const { code, stdout } = await environment.run([...command, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'failed',
    status: 'QUEUED',
    timedOut: true,
    terminated: true,
    message: 'Waiting: the runner "one" is paused.',
  });
  expect(code).toBe(1);
});

test('`millrace run` that no runner may take says FORBIDDEN with the reason at once, and exits with 1', async () => {
  await set('stop');
  const { code, stdout } = await environment.run(command);
  expect(stdout).toMatch(
    /^The platform says:\n {2}The runner "one" is stopped, so it takes no execution\.\n\ntag: .*, status: FORBIDDEN, finished: .*\ndaily\/load in dev ended: FORBIDDEN\.\n$/,
  );
  expect(code).toBe(1);
});
