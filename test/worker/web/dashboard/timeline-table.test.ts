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
