import { afterEach, beforeEach } from 'vitest';
import { type BadPull, openBadPull, testNoSecretLeaves, testViolationAndFix } from './review-tests.ts';

let pull: BadPull;
beforeEach(async () => {
  pull = await openBadPull();
});
afterEach(() => pull.testEnvironment[Symbol.asyncDispose]());

testViolationAndFix('the review action', 'actions/review', () => pull);
testViolationAndFix('the composite action', 'actions/pull-request', () => pull);

testNoSecretLeaves(
  [
    { action: '', as: 'writer', reachable: true },
    { action: '', as: 'writer', reachable: false },
    { action: 'actions/pull-request', as: 'reader', reachable: true },
    { action: 'actions/pull-request', as: 'reader', reachable: false },
  ],
  () => pull,
);
