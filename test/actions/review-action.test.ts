import { reviewCells } from './review-cells.ts';

reviewCells('');
