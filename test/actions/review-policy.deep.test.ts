import { createPolicyEnvironment, inEveryRun, testPolicyChanges } from './review-policy-changes.ts';

const policy = createPolicyEnvironment();

testPolicyChanges(policy, 'pull_request', (what) => !inEveryRun.pull_request.includes(what));
testPolicyChanges(policy, 'merge_group', (what) => !inEveryRun.merge_group.includes(what));
