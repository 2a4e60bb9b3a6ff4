import { asOperation, findOperation, type OperationId } from '../../lib/contract/operations.ts';
import type { Operation } from '../../lib/contract/description/operation.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { buildRequest, type BuildParts } from '../request/build-request.ts';
import type { Callable } from '../request/callable.ts';
import type { Exchange } from '../interface/client.ts';
import type { CallOptions } from '../interface/client-options.ts';
import { callTrace } from '../errors/call-trace.ts';
import { validateLimits } from '../interface/validate-limits.ts';
import { conclude } from './conclude.ts';
import { buildCustomRequest, type CustomRequest } from '../request/custom-request.ts';
import {
  type CallFacts,
  Cancelled,
  ClientError,
  Conflict,
  NoAnswer,
  OutcomeUnknown,
} from '../errors/errors.ts';
import { listOperation } from './list-operation.ts';
import { reconcileLostCall } from './reconcile-lost-call.ts';
import { readBacks, type PlatformReader } from './read-backs.ts';
import type { CallParts } from './call-parts.ts';
import { type CallEnd, performCall } from './perform-call.ts';
import { redactEnd } from '../transport/redaction.ts';
import type { WireRequest } from '../transport/wire.ts';

/** What all calls of a client share. */
export interface Setup {
  readonly build: BuildParts;
  readonly call: Omit<CallParts, 'signal' | 'answerGraceMs' | 'deadlineMs' | 'onProgress'>;
  readonly deadlineMs: number | undefined;
  readonly untilMs: number;
}

type Input = Readonly<Record<string, unknown>>;

const defaultDeadlineMs = 180_000;
/** An upload may take long while it makes progress: each chunk restarts the attempt's time-out. */
const uploadDeadlineMs = 3_600_000;

/** One operation of the contract from input to answer. @throws {ClientError} */
export async function callOperation(
  setup: Setup,
  operation: Operation,
  input: Input,
  options: CallOptions,
): Promise<Exchange> {
  const request = buildRequest(operation, input, setup.build);
  return call(setup, operation, request, input, options);
}

/** Sends a request that is not in the contract; its answer is not validated. @throws {ClientError} */
export async function callCustom(
  setup: Setup,
  custom: CustomRequest,
  options: CallOptions,
): Promise<Exchange> {
  const { callable, request } = buildCustomRequest(custom, setup.build);
  return call(setup, callable, request, {}, options);
}

async function call(
  setup: Setup,
  operation: Callable,
  request: WireRequest,
  input: Input,
  options: CallOptions,
): Promise<Exchange> {
  validateLimits(options);
  const { clock, redactor, timeoutMs } = setup.call;
  const startedAt = clock.now();
  const usual = request.body?.kind === 'stream' ? uploadDeadlineMs : defaultDeadlineMs;
  const deadlineMs = Math.min(options.deadlineMs ?? setup.deadlineMs ?? usual, setup.untilMs - startedAt);
  const facts: CallFacts = {
    operation: operation.id,
    requestId: request.headers['x-request-id'],
    versionName: textOf(input['versionName']),
    executionTag: textOf(input['executionTag']),
  };
  if (deadlineMs <= 0)
    throw new NoAnswer(
      `${operation.id} was not sent, because the time limit for all calls together has passed.`,
      {
        ...facts,
        attempts: 0,
      },
    );
  const made = await performCall(
    operation,
    request,
    {
      ...setup.call,
      signal: options.signal,
      answerGraceMs: options.answerGraceMs,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      deadlineMs,
      onProgress: options.onProgress,
    },
    facts,
  );
  const end = redactEnd(made.end, redactor);
  const headers = end.kind === 'answered' ? end.answer.headers : {};
  const requestId = headers['x-request-id'] ?? headers['request-id'] ?? facts.requestId ?? '';
  const status = end.kind === 'answered' ? end.answer.status : 0;
  const factsWithId = { ...facts, requestId };
  const exchanged = (answer: unknown): Exchange => ({
    answer,
    status,
    headers,
    requestId,
    attempts: made.attempts,
  });
  try {
    return exchanged(conclude(operation, { ...made, end }, factsWithId, clock.now()));
  } catch (error) {
    const readBack = readBacks[operation.id];
    if (readBack === undefined || !(error instanceof ClientError) || !isOutcomeOpen(error, made)) throw error;
    setup.call.logger.warn(
      'The platform’s answer was lost. Checking on the platform whether the call took effect.',
      {
        operation: operation.id,
        requestId,
      },
    );
    const leftMs = (): number => deadlineMs - (clock.now() - startedAt);
    const reader = platformReader(setup, () => ({ ...options, deadlineMs: Math.max(1, leftMs()) }));
    try {
      return exchanged(
        await reconcileLostCall(readBack, input, error, { clock, signal: options.signal, leftMs, reader }),
      );
    } catch (reconcileError) {
      if (options.signal?.aborted !== true) throw reconcileError;
      throw new Cancelled(
        `${operation.id} was cancelled after it was sent; whether it took effect is unknown${callTrace(factsWithId)}.`,
        { ...factsWithId, attempts: made.attempts, cause: options.signal.reason },
        true,
      );
    }
  }
}

/** Whether the call may have taken effect despite the error. A 409 may be caused by our own first attempt. */
function isOutcomeOpen(error: ClientError, { mayHaveEffect, mayHaveEffectBefore }: CallEnd): boolean {
  if (error instanceof OutcomeUnknown) return true;
  return mayHaveEffect && (!error.isUserFault || (error instanceof Conflict && mayHaveEffectBefore));
}

/** Reading calls of the same client, without the caller's `onProgress`. */
function platformReader(setup: Setup, options: () => CallOptions): PlatformReader {
  const reading = (id: OperationId): Operation => {
    const operation = findOperation(id);
    if (operation === undefined)
      throw new Failure('usage', {
        message: `Unknown operation “${id}”.`,
        hint: 'docs/api.md and `millrace api --help` list the operations.',
      });
    return asOperation(operation);
  };
  const read = async (operation: Operation, input: Input): Promise<Exchange> =>
    callOperation(setup, operation, input, { ...options(), onProgress: undefined });
  return {
    read: async (id, input) => (await read(reading(id), input)).answer,
    items: (id, input) => listOperation(reading(id), read, input),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
