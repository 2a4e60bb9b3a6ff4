export type { FlowContext, PlatformContext } from './context/context.ts';
export { type PromoteReport, type PromoteRequest, promote } from './promote/promote.ts';
export { type PublishReport, type PublishRequest, publish } from './publish/publish.ts';
export {
  type PublishSharedReport,
  type PublishSharedRequest,
  publishShared,
} from './publish/publish-shared.ts';
export { problemsOfBase } from './review/problems-of-base.ts';
export { reviewLocally } from './review/review-locally.ts';
export { reviewPolicy } from './review/review-policy.ts';
export { reviewOnPlatform } from './review/review-on-platform.ts';
export type { ReviewReport, ReviewRequest } from './review/review-request.ts';
export { describeUncounted } from './review/describe-uncounted.ts';
export { sarifOf, type SarifSource } from './review/sarif.ts';
export {
  type SharedRollbackReport,
  type SharedRollbackRequest,
  rollBackShared,
} from './rollback/roll-back-shared.ts';
export { type RollbackReport, type RollbackRequest, rollback } from './rollback/rollback.ts';
export { type RunReport, run } from './run/run.ts';
export type { RunRequest } from './run/run-request.ts';
