export { validateOperationInput } from './request/validate-operation-input.ts';
export { createClient } from './create-client.ts';
export type { AttemptEnd } from './transport/attempt.ts';
export type { Client, Exchange, MethodOf, Operations, OperationsWithResponse } from './interface/client.ts';
export type {
  Auth,
  CallOptions,
  ClientOptions,
  IdTokenSource,
  ProxySettings,
  WorkloadIdentity,
} from './interface/client-options.ts';
export type { CustomRequest } from './request/custom-request.ts';
export { diskFile } from './request/disk-file.ts';
export * from './errors/errors.ts';
export type { AttemptContext, AttemptRequest, Middleware, Next } from './transport/middleware.ts';
export type { AnswerOf, InputOf, ItemOf } from './interface/operation-input.ts';
export type { Envelope, PagedList } from './interface/paged-list.ts';
export type { UploadFile } from './request/upload-file.ts';
export { logging } from './middlewares/logging.ts';
export { type RecordedAttempt, recording } from './middlewares/recording.ts';
export { type Span, tracing, type Tracer } from './middlewares/tracing.ts';
export { Failure } from '../lib/core/errors/failure.ts';
