import { expect, test } from 'vitest';
import { headOf } from '../../../cli/commands/worker/promotions.ts';
import { wholePromotionAnswer } from '../../../cli/operate/operator-answers.ts';
import { createOutput } from '../../../cli/terminal/output.ts';
import { tableLines } from '../../../lib/core/text/table-lines.ts';

const status =
  'v1 failed in test: daily/load ended FAILED: Traceback:\n  line 3. Then: Component "Alert" failed: no topic';

/** What a command prints for these lines. */
function printed(lines: readonly string[]): string {
  let text = '';
  const stdout = { write: (chunk: string) => ((text += chunk), true) };
  const io = { stdout, stderr: stdout, interactive: false } as unknown as Parameters<typeof createOutput>[0];
  createOutput(io, { json: false, verbose: false, redact: (value) => value }).result({}, lines);
  return text;
}

test('a promotion shows each line of its status on a line of its own, the first failure first', () => {
  const promotion = wholePromotionAnswer.parse({
    id: 'p-1',
    lane: 'to-test',
    commit: '0123456789abcdef',
    state: 'finished',
    outcome: 'failed',
    version: 'v1',
    status,
    history: [],
  });
  const text = printed(headOf(promotion));
  expect(text).toContain(
    '\n  v1 failed in test: daily/load ended FAILED: Traceback:\n    line 3. Then: Component "Alert" failed: no topic\n',
  );
  expect(text).not.toContain(String.raw`\n`);
});

test('a row of a table stays one line, with a space where its message begins a new line', () => {
  const text = printed(tableLines(['LANE', 'STATUS'], [['to-test', status]]));
  expect(text).toMatch(/\nto-test +v1 failed in test: daily\/load ended FAILED: Traceback: line 3\. Then: /);
  expect(text.trimEnd().split('\n')).toHaveLength(2);
});
