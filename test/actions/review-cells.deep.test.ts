import { describe } from 'vitest';
import { inEveryRun, reviewCells } from './review-cells.ts';

describe.each(['', 'actions/pull-request'] as const)('the action "%s"', (action) => {
  reviewCells(action, (title) => !inEveryRun[action](title));
});
