import { expect, test } from 'vitest';
import { reportOfRun } from '../../../flows/run/report.ts';
import type { RunReport } from '../../../flows/run/run.ts';

const started: RunReport = {
  outcome: 'passed',
  pipeline: 'daily/load',
  environment: 'dev',
  tag: 'night',
  executionId: 'e1',
  timedOut: false,
  terminated: false,
  dryRun: false,
};
const hint = 'The execution may still be running.';

test.each<readonly [Partial<RunReport>, string]>([
  [{}, 'Started daily/load in dev.'],
  [{ status: 'SUCCESS' }, 'daily/load in dev ended: SUCCESS.'],
  [{ outcome: 'failed', status: 'FAILED', message: 'No.' }, 'daily/load in dev ended: FAILED.'],
  [
    { outcome: 'failed', status: 'RUNNING', startedAt: '2026-01-01T00:00:00Z', timedOut: true, hint },
    'daily/load in dev did not end within the time limit.',
  ],
  [
    { outcome: 'failed', status: 'QUEUED', message: 'No runner.', timedOut: true, terminated: true },
    'daily/load in dev was still queued at its time limit, because no runner of the platform started it (No runner).',
  ],
  [
    { outcome: 'indeterminate', status: 'RUNNING', problem: 'its status cannot be read: 502.', hint },
    'The status of daily/load in dev is unknown: its status cannot be read: 502. Execution e1.',
  ],
  [{ outcome: 'cancelled', terminated: true }, 'Cancelled while daily/load in dev was running.'],
  [
    { outcome: 'cancelled', status: 'CANCELLED', terminated: true, hint },
    'Cancelled while daily/load in dev was running.',
  ],
])('the report of a run that is %j names the execution and how it ended', (end, headline) => {
  const report = reportOfRun({ ...started, ...end });
  expect(report.headline).toBe(headline);
  expect(report.notes).toEqual([
    ...(end.terminated === true ? ['The execution was terminated.'] : []),
    ...(end.hint === undefined ? [] : [hint]),
  ]);
  expect(report.blocks).toEqual(
    end.message === undefined ? [] : [{ title: 'The platform says:', lines: [end.message] }],
  );
});

test('an execution that may still run is shown with the command that waits for it, and without empty facts', () => {
  expect(reportOfRun({ ...started, outcome: 'cancelled', hint }).facts).toEqual([
    ['tag', 'night'],
    ['execution', 'e1'],
    ['to wait for it', 'millrace run daily/load --environment dev --attach e1'],
  ]);
});
