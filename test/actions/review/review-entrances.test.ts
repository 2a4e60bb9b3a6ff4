import { testReviewEntrances } from './review-entrances.ts';

testReviewEntrances('every run');
