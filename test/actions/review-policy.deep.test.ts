import { inMergeQueue, openPolicyScene, testPolicyChanges } from './review-policy-changes.ts';

testPolicyChanges(openPolicyScene(), 'merge_group', (what) => !inMergeQueue.includes(what));
