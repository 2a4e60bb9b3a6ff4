import { randomUUID } from 'node:crypto';
import { Webhooks } from '@octokit/webhooks';
import { request } from 'undici';
import * as z from 'zod';
import { openConnections } from '../../lib/http/connections.ts';
import type { ProxySettings } from '../../lib/http/proxy-settings.ts';
import { describeProblem } from '../../lib/http/transport-problem.ts';
import { Failure } from '../../lib/core/errors/failure.ts';

/** A webhook's request. */
export interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface DeliveryAnswer {
  readonly status: number;
  readonly result: string;
  readonly reason: string;
}

const answerSchema = z.object({ result: z.string(), reason: z.string() });
const timeoutMs = 15_000;

/** The request as GitHub sends it. Without a secret, it has no signature. */
export async function createDelivery(
  url: string,
  event: string,
  payload: object,
  secret: string | undefined,
): Promise<Delivery> {
  const id = randomUUID();
  const body = JSON.stringify(payload);
  return {
    id,
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/millrace',
      'x-github-delivery': id,
      'x-github-event': event,
      ...(secret === undefined ? {} : { 'x-hub-signature-256': await new Webhooks({ secret }).sign(body) }),
    },
  };
}

/**
 * Sends a delivery to a worker. Throws Failure 'unreachable', 'unauthorized' (another secret), 'answer-unreadable' (not a worker),
 * and 'request-invalid' for another refusal.
 */
export async function sendDelivery(
  { url, headers, body }: Delivery,
  { proxy, signal }: { readonly proxy: ProxySettings | undefined; readonly signal: AbortSignal },
): Promise<DeliveryAnswer> {
  const connections = openConnections({ proxy });
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: await connections.dispatcherFor(new URL(url).origin, false),
      signal,
      headers,
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const read = answerSchema.safeParse(await answer.body.json().catch(() => undefined)).data;
    if (read === undefined) throw notWorker(url, answer.statusCode);
    if (answer.statusCode >= 300) throw refusal(answer.statusCode, read.reason);
    return { status: answer.statusCode, ...read };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof Failure) throw cause;
    throw new Failure('unreachable', {
      message: `No worker answers at ${url}: ${describeProblem(cause)}.`,
      hint: 'Start the worker, or check --url: it is the address that `millrace worker` prints.',
      cause,
    });
  } finally {
    await connections.close();
  }
}

function notWorker(url: string, status: number): Failure {
  return new Failure('answer-unreadable', {
    message: `${url} answered (status ${String(status)}), but not as a worker.`,
    where: { input: '--url' },
    hint: 'Give --url the address that `millrace worker` prints.',
  });
}

function refusal(status: number, reason: string): Failure {
  if (status === 401)
    return new Failure('unauthorized', {
      message: `The worker refused the delivery: ${reason}.`,
      where: { input: 'MILLRACE_WEBHOOK_SECRET' },
      hint: 'Set MILLRACE_WEBHOOK_SECRET to the secret of the worker’s webhook.',
    });
  return new Failure(status === 503 ? 'unreachable' : 'request-invalid', {
    message: `The worker refused the delivery (status ${String(status)}): ${reason}.`,
    hint: 'See the log of the worker, or `millrace deliveries`.',
  });
}
