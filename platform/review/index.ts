export {
  type CommitReview,
  reviewCommit,
  type ReviewCommitRequest,
  type ReviewRefusal,
  type RuleAnswer,
} from './review-commit.ts';
