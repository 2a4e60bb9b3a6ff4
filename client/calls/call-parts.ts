import type { RetryClass } from '../../lib/contract/description/operation.ts';
import type { Clock, Logger, Random } from '../../lib/core/ports/ports.ts';
import type { Authentication } from './authentication.ts';
import type { Connections } from '../../lib/http/connections.ts';
import type { Middleware } from '../transport/middleware.ts';
import type { Redactor } from '../../lib/core/text/redactor.ts';
import type { RetryBudget } from './retry-budget.ts';

/** The client's settings and shared objects that a call needs in addition to its request. */
export interface CallParts {
  readonly connections: Connections;
  readonly authentication: Authentication | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxAttempts: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly answerGraceMs?: number | undefined;
  readonly redactor: Redactor;
  readonly budget: RetryBudget;
  readonly middlewares: readonly Middleware[];
  /** Called with the bytes of the upload that this attempt has handed to the connection, and the total. */
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

/** The fields of an operation that sending needs. */
export interface Sendable {
  readonly id: string;
  readonly retry: RetryClass;
}
