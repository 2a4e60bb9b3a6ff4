export type { FlowContext, PlatformContext } from './context.ts';
export { type PromoteReport, type PromoteRequest, promote } from './promote.ts';
export { type PublishReport, type PublishRequest, publish } from './publish.ts';
export { type PublishSharedReport, type PublishSharedRequest, publishShared } from './publish-shared.ts';
export { reviewLocally } from './review/review-locally.ts';
export { reviewOnPlatform } from './review/review-on-platform.ts';
export type { ReviewReport, ReviewRequest } from './review/review-request.ts';
export { type RollbackReport, type RollbackRequest, rollback } from './rollback.ts';
export { type RunReport, type RunRequest, run } from './run.ts';
