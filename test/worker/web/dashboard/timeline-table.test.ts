import { expect, test } from 'vitest';
import { timelineTable } from '../../../../worker/web/dashboard/pages/timeline-table.ts';

test.each([
  ['intend-promote', 'move', 'intent'],
  ['promoted', 'good', 'platform'],
  ['start-refused', 'bad', 'platform'],
  ['not-live', 'bad', 'platform'],
  ['live-changed', 'calm', 'platform'],
  ['resolved', 'calm', 'worker'],
])('the event %s is shown as %s, of the %s', (what, tone, label) => {
  const table = timelineTable('History', [{ at: 0, what, data: '' }]);
  expect(table.text).toContain(`class="tag ${tone}">${label}<`);
});

test('an execution in a history is a link to the platform, if its address is known', () => {
  const data = JSON.stringify({ executionId: 'e1', pipeline: 'daily/load' });
  const page = (id: string, pipeline: string) => `https://platform.example.com/${pipeline}/${id}`;
  const { text } = timelineTable('History', [{ at: 0, what: 'started', data }], page);
  expect(text).toMatch(/execution:\s*<a href="https:\/\/platform\.example\.com\/daily\/load\/e1"[^>]*><code/);
  expect(timelineTable('History', [{ at: 0, what: 'started', data }]).text).not.toContain('href=');
});
