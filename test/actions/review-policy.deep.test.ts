import { inMergeQueue, createPolicyEnvironment, testPolicyChanges } from './review-policy-changes.ts';

testPolicyChanges(createPolicyEnvironment(), 'merge_group', (what) => !inMergeQueue.includes(what));
