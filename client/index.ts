export { validateOperationInput } from './validate-operation-input.ts';
export { createClient } from './create-client.ts';
export type { AttemptEnd } from './attempt.ts';
export type { Client, Exchange, MethodOf, Operations, OperationsWithResponse } from './client.ts';
export type {
  Auth,
  CallOptions,
  ClientOptions,
  IdTokenSource,
  ProxySettings,
  WorkloadIdentity,
} from './client-options.ts';
export type { CustomRequest } from './custom-request.ts';
export { diskFile } from './disk-file.ts';
export * from './errors.ts';
export type { AttemptContext, AttemptRequest, Middleware, Next } from './middleware.ts';
export type { AnswerOf, InputOf, ItemOf } from './operation-input.ts';
export type { Envelope, PagedList } from './paged-list.ts';
export type { UploadFile } from './upload-file.ts';
export { logging } from './middlewares/logging.ts';
export { type RecordedAttempt, recording } from './middlewares/recording.ts';
export { type Span, tracing, type Tracer } from './middlewares/tracing.ts';
export { Failure } from '../lib/core/failure.ts';
