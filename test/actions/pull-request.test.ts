import { reviewCells } from './review-cells.ts';

reviewCells('actions/pull-request');
