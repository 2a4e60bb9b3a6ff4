import { testReviewEntrances } from './review-entrances.ts';

testReviewEntrances('deep');
