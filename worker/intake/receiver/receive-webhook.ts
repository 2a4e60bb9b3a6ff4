import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Clock, Logger } from '../../../lib/core/ports/ports.ts';
import type { FailureLog } from '../../telemetry/failure-log.ts';
import { checkEventNames, reduceCheck } from '../../records/check-event.ts';
import { reduceComment } from '../../records/comment-event.ts';
import { installationEventNames, restoresAccess } from '../../records/installation-event.ts';
import type { IncomingEvent } from '../../records/incoming-event.ts';
import { subjectOf } from '../../records/delivery-subject.ts';
import type { Inbox } from './inbox.ts';
import { parseBodyAside } from './parse-body.ts';
import { validatePing } from './validate-ping.ts';
import { type PushEvent, reducePush } from '../../records/push-event.ts';
import { BodyTooLarge, CutOff, NoRoom, readBody } from './read-body.ts';
import { isSignature } from './signature.ts';
import { findSigningSecrets, isForRepository, type WebhookSecrets } from './verify-secret.ts';
import {
  accepted,
  duplicate,
  ignored,
  refused,
  unavailable,
  type WebhookAnswer,
} from '../../records/webhook-answer.ts';

export interface ReceiverOptions {
  /** Read for each delivery. */
  readonly secrets: () => WebhookSecrets;
  readonly isServed: (repositoryId: number) => boolean;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failures: FailureLog;
  /** Bytes of one body. */
  readonly maxBodyBytes: number;
  /** Bytes of all bodies that are being read. */
  readonly maxBodiesBytes: number;
  /**
   * Milliseconds within which Redis must have stored it. The sender waits ten seconds; the 503 must come long
   * before.
   */
  readonly acceptWithinMs: number;
}

const usedEvents: ReadonlySet<string> = new Set(['push', 'issue_comment', ...checkEventNames]);

/**
 * Answers `POST /webhooks/github`. Checks the headers before it reads the body, and the signature before it parses
 * the body. Answers 202 only after the push is stored durably. Never rejects.
 */
export function createReceiver(
  options: ReceiverOptions,
): (request: IncomingMessage) => Promise<WebhookAnswer> {
  const { inbox, clock, logger, failures, maxBodyBytes, maxBodiesBytes } = options;
  let reading = 0;

  return async (request) => {
    const refusal = refuseByHeaders(request, maxBodyBytes);
    if (refusal !== undefined) return refusal;
    let held = 0;
    try {
      // Counted as the bytes arrive: a stranger who only announces a large body must not keep others out.
      const body = await readBody(request, maxBodyBytes, (bytes) => {
        held += bytes;
        reading += bytes;
        return reading <= maxBodiesBytes;
      });
      return await receive(request, body);
    } catch (error) {
      if (error instanceof BodyTooLarge) return tooLarge(maxBodyBytes);
      if (error instanceof NoRoom) return unavailable('too many requests at once');
      if (error instanceof CutOff) return unavailable('the connection was closed before the body ended');
      failures.failed('inbox', 'A delivery could not be stored.', { error: String(error) });
      return unavailable('the delivery could not be stored');
    } finally {
      reading -= held;
    }
  };

  async function receive(request: IncomingMessage, body: Buffer): Promise<WebhookAnswer> {
    const signature = headerOf(request, 'x-hub-signature-256');
    if (signature === undefined) return refused(401, 'invalid signature');
    const secrets = options.secrets();
    const { headers } = request;
    const signing = await findSigningSecrets(body, { header: signature, headers }, secrets);
    if (signing.length === 0) return refused(401, 'invalid signature');
    // Decoding would replace such bytes: two bodies would be one text.
    if (!isUtf8(body)) return refused(400, 'the body is not UTF-8');
    const content = await parseBodyAside(body);
    if (content === undefined) return refused(400, 'the body is not JSON');
    const { parsed, digest } = content;
    if (!isForRepository(signing, parsed, secrets))
      return refused(401, 'the signature was made with the secret of another webhook');
    return { ...(await judge(request, parsed, digest)), subject: subjectOf(parsed) };
  }

  /** Handles a body whose signature is valid. */
  async function judge(request: IncomingMessage, parsed: unknown, digest: string): Promise<WebhookAnswer> {
    const name = headerOf(request, 'x-github-event');
    if (name === 'ping') return answerPing(parsed, logger);
    if (installationEventNames.has(name ?? '')) return compareRefs(parsed);
    if (!usedEvents.has(name ?? '')) return ignored('the worker does not need this event');
    const delivery = headerOf(request, 'x-github-delivery') ?? '';
    if (!/^[0-9A-Za-z-]{1,64}$/.test(delivery))
      return refused(400, 'X-GitHub-Delivery is missing or malformed');
    const event = readEvent(name, parsed, { delivery, digest, receivedAt: clock.now() });
    return 'ignored' in event ? ignored(event.ignored) : take(event);
  }

  /** What was pushed while the App had no access is in no list of deliveries. */
  async function compareRefs(parsed: unknown): Promise<WebhookAnswer> {
    if (!restoresAccess(parsed)) return ignored('the App has no more access than before');
    return within(options.acceptWithinMs, async () => {
      await inbox.requestComparison(clock.now());
      return accepted;
    });
  }

  async function take(event: IncomingEvent): Promise<WebhookAnswer> {
    if (!options.isServed(event.repositoryId)) return ignored('worker.yaml does not list the repository');
    return within(options.acceptWithinMs, async () => {
      if ('deleted' in event && event.deleted) {
        await inbox.note(event);
        return ignored('a deleted ref starts nothing');
      }
      const kept = await inbox.keep(event);
      failures.worked('inbox');
      return kept === 'duplicate' ? duplicate : accepted;
    });
  }
}

/** Reads a used event. The signature does not cover the event's name: the body must match it. */
function readEvent(
  name: string | undefined,
  parsed: unknown,
  facts: Pick<PushEvent, 'delivery' | 'digest' | 'receivedAt'>,
): IncomingEvent | { readonly ignored: string } {
  if (name === 'issue_comment') return reduceComment(parsed, facts);
  if (checkEventNames.has(name ?? '')) return reduceCheck(parsed, facts);
  return reducePush(parsed, facts) ?? { ignored: 'the body is not a push of a branch or tag' };
}

/** GitHub pings when a webhook is set up: report problems of the set-up here. */
function answerPing(body: unknown, logger: Logger): WebhookAnswer {
  const { hook, problems = [] } = validatePing(body) ?? {};
  if (problems.length === 0) return { status: 200, result: 'pong', reason: 'pong' };
  logger.warn('The webhook is not set up correctly.', { hook_id: hook, problems });
  // GitHub shows the answer to the person who sets the webhook up.
  return { status: 200, result: 'pong', reason: `pong; but ${problems.join('; ')}` };
}

function refuseByHeaders(request: IncomingMessage, limit: number): WebhookAnswer | undefined {
  if (request.method !== 'POST') return refused(405, 'use POST', { allow: 'POST' });
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return refused(415, 'set the content type of the webhook to application/json');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return refused(415, 'encoded bodies are not supported');
  if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge(limit);
  if (!isSignature(headerOf(request, 'x-hub-signature-256'))) return refused(401, 'invalid signature');
  return undefined;
}

const tooLarge = (limit: number): WebhookAnswer => refused(413, `more than ${limit} bytes`);

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * A frozen Redis neither stores nor refuses: after this time the delivery counts as refused. The job's id
 * derives from the body, so that a retry is safe.
 */
async function within(ms: number, work: () => Promise<WebhookAnswer>): Promise<WebhookAnswer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
