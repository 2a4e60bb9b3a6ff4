export type { CommitReview, RuleAnswer } from './answer.ts';
export { reviewCommit, type ReviewCommitRequest, type ReviewRefusal } from './review-commit.ts';
