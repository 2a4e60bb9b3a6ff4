import { expect, test } from 'vitest';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { createLimitedLogger } from '../../../worker/telemetry/limited-logger.ts';
import { manualClock } from '../../environment/clock.ts';

function setUp() {
  const lines: object[] = [];
  const clock = manualClock();
  const warn = (message: string, fields: object = {}) => void lines.push({ message, ...fields });
  return { lines, clock, logger: createLimitedLogger({ ...silentLogger, warn }, clock) };
}

test('a message is logged ten times at once, then every ten seconds, with the number of lines in between', async () => {
  const { lines, clock, logger } = setUp();
  for (let i = 0; i < 1_000; i += 1) logger.warn('Refused.', { i });
  expect(lines).toHaveLength(10);
  await clock.advance(9_999);
  logger.warn('Refused.', { i: 'late' });
  expect(lines).toHaveLength(10);
  await clock.advance(1);
  logger.warn('Refused.', { i: 'next' });
  expect(lines.at(-1)).toEqual({ message: 'Refused.', i: 'next', skipped: 991 });
  // Other messages have a limit of their own.
  logger.warn('Other.');
  expect(lines.at(-1)).toEqual({ message: 'Other.' });
  await clock.advance(100_000);
  for (let i = 0; i < 1_000; i += 1) logger.warn('Refused.', { i });
  expect(lines).toHaveLength(22);
});

test('a long text is cut', () => {
  const { lines, logger } = setUp();
  logger.warn('Refused.', { reason: 'x'.repeat(10_000), status: 401 });
  expect(lines).toEqual([{ message: 'Refused.', reason: `${'x'.repeat(199)}…`, status: 401 }]);
});
