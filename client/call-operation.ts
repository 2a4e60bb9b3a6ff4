import type { Operation } from '../contract/operation.ts';
import { findOperation } from '../contract/operations.ts';
import { buildRequest, type BuildParts } from './build-request.ts';
import type { Exchange } from './client.ts';
import type { CallOptions } from './client-options.ts';
import { conclude } from './conclude.ts';
import { type CallFacts, Conflict } from './errors.ts';
import { type CallParts, performCall } from './perform-call.ts';
import { redactEnd, type Redaction } from './redaction.ts';
import { type PublishedVersion, settleSharedPublish } from './settle-shared-publish.ts';

/** What a client has in common for all its calls. */
export interface Setup {
  readonly build: BuildParts;
  readonly call: Omit<CallParts, 'signal' | 'deadlineMs'>;
  readonly deadlineMs: number | undefined;
  readonly redaction: Redaction;
}

const usualDeadlineMs = 180_000;
/** An upload may take long as long as it moves: each piece starts the attempt's time-out anew. */
const uploadDeadlineMs = 3_600_000;

/** One operation from input to answer. @throws {ClientError} */
export async function callOperation(
  setup: Setup,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<Exchange> {
  const request = buildRequest(operation, input, setup.build);
  const usual = operation.body.kind === 'multipart' ? uploadDeadlineMs : usualDeadlineMs;
  const facts: CallFacts = {
    operation: operation.id,
    requestId: request.headers['x-request-id'],
    versionName: textOf(input['versionName']),
    executionTag: textOf(input['executionTag']),
  };
  const call = await performCall(
    operation,
    request,
    {
      ...setup.call,
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? setup.call.timeoutMs,
      deadlineMs: options.deadlineMs ?? setup.deadlineMs ?? usual,
    },
    facts,
  );
  const end = redactEnd(call.end, setup.redaction);
  const headers = end.kind === 'answered' ? end.answer.headers : {};
  const requestId = headers['x-request-id'] ?? headers['request-id'] ?? facts.requestId ?? '';
  const status = end.kind === 'answered' ? end.answer.status : 0;
  const exchanged = (answer: unknown): Exchange => ({
    answer,
    status,
    headers,
    requestId,
    attempts: call.attempts,
  });
  try {
    return exchanged(conclude(operation, { ...call, end }, { ...facts, requestId }, setup.call.clock.now()));
  } catch (error) {
    if (operation.id !== 'sharedArtifacts.publish' || !call.landedBefore || status !== 409) throw error;
    const conflict = error instanceof Conflict ? error : ((error as Error).cause as Conflict);
    return exchanged(await settleSharedPublish(conflict, input, () => readVersion(setup, input, options)));
  }
}

async function readVersion(
  setup: Setup,
  { sharedPipelineIdPrefix, versionName }: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<PublishedVersion> {
  const details = findOperation('sharedArtifacts.details');
  if (details === undefined) return {};
  const { answer } = await callOperation(setup, details, { sharedPipelineIdPrefix, versionName }, options);
  return (answer as { artifactDetails: PublishedVersion }).artifactDetails;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
