import { expect, test } from 'vitest';
import { createRedactor } from '../../../lib/core/text/redactor.ts';
import { createJsonLogger } from '../../../worker/telemetry/json-logger.ts';

function logged(verbose = false) {
  const lines: string[] = [];
  const redact = createRedactor(['hunter2hunter2']).text;
  return { lines, logger: createJsonLogger((line) => void lines.push(line), { redact, verbose }) };
}

test('each event is one JSON line with time, message and its fields', () => {
  const { lines, logger } = logged();
  logger.warn('A promotion\nwaits.', { promotion_id: 'r-1', lane: 'to-test' });

  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toContain('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    msg: 'A promotion\nwaits.',
    promotion_id: 'r-1',
    lane: 'to-test',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('a secret does not get out by a field, nor in base64', () => {
  const { lines, logger } = logged();
  logger.error('It failed.', {
    error: 'token hunter2hunter2',
    header: Buffer.from('x:hunter2hunter2').toString('base64'),
  });

  expect(lines.join('')).toContain('[secret]');
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines.join('')).not.toContain(Buffer.from('x:hunter2hunter2').toString('base64'));
});

test('debug messages are left out unless requested', () => {
  const quiet = logged();
  quiet.logger.debug('A detail.');
  const loud = logged(true);
  loud.logger.debug('A detail.');

  expect([quiet.lines.length, loud.lines.length]).toEqual([0, 1]);
});
