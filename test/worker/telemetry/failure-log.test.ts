import { expect, test } from 'vitest';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import { createFailureLog } from '../../../worker/telemetry/failure-log.ts';
import { manualClock } from '../../environment/clock.ts';

function setUp() {
  const lines: [level: string, message: string, fields: object][] = [];
  const write =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void lines.push([level, message, fields]);
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  const clock = manualClock();
  return { lines, clock, failures: createFailureLog(logger, clock) };
}

test('a failure that repeats is one line, and one more when it works again', async () => {
  const { lines, clock, failures } = setUp();
  for (let i = 0; i < 1_000; i += 1) failures.failed('sweep', 'A sweep failed.', { error: 'OOM' });
  await clock.advance(90_000);
  failures.worked('sweep');
  failures.worked('sweep');
  expect(lines).toEqual([
    ['warn', 'A sweep failed.', { error: 'OOM' }],
    [
      'info',
      'What had failed works again.',
      { what: 'A sweep failed.', error: 'OOM', failures: 1_000, seconds: 90 },
    ],
  ]);
  failures.failed('sweep', 'A sweep failed.', { error: 'OOM' });
  expect(lines).toHaveLength(3);
});

test('another error of the same work is another line, and only a few of them', () => {
  const { lines, failures } = setUp();
  for (let i = 0; i < 100; i += 1)
    for (const error of ['OOM', 'READONLY']) failures.failed('sweep', 'A sweep failed.', { error });
  expect(lines.map(([, , fields]) => fields)).toEqual([{ error: 'OOM' }, { error: 'READONLY' }]);
  for (let i = 0; i < 100; i += 1) failures.failed('sweep', 'A sweep failed.', { error: `request ${i}` });
  expect(lines).toHaveLength(5);
});

test('work that fails every other time is one line, until it has worked for five seconds', async () => {
  const { lines, clock, failures } = setUp();
  for (let i = 0; i < 100; i += 1) {
    failures.failed('queue', 'A queue failed.', { error: 'OOM' });
    await clock.advance(4_999);
    failures.worked('queue');
  }
  expect(lines).toHaveLength(1);
  await clock.advance(1);
  failures.worked('queue');
  expect(lines).toHaveLength(2);
  // What worked once, soon after a failure, and fails much later is a new failure.
  failures.failed('queue', 'A queue failed.', { error: 'OOM' });
  failures.worked('queue');
  await clock.advance(60_000);
  failures.failed('queue', 'A queue failed.', { error: 'OOM' });
  expect(lines).toHaveLength(4);
});

test('each work has its own state, and the oldest ones are forgotten', () => {
  const { lines, failures } = setUp();
  for (let i = 0; i < 12_000; i += 1) failures.failed(`job ${i}`, 'A job failed.', { error: 'x', job: i });
  expect(lines).toHaveLength(12_000);
  expect(failures.size).toBe(10_000);
});
