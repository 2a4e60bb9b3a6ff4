import { describe } from 'vitest';
import { reviewCells } from './review-cells.ts';

describe.each(['', 'actions/pull-request'] as const)('the action "%s"', (action) => {
  reviewCells(action);
});
