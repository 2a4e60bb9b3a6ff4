import type { Deliveries, Telemetry } from '../promotion/context/ports.ts';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { deliveryHeaders } from '../records/delivery-headers.ts';
import { unavailable, type WebhookAnswer } from '../records/webhook-answer.ts';

export interface WebhookOptions {
  /** Answers a delivery, whose body it reads itself. */
  readonly receive: (request: IncomingMessage) => Promise<WebhookAnswer>;
  readonly ports: Deliveries & Pick<Telemetry, 'metrics'>;
  readonly logger: Logger;
  /** For requests without a valid signature. */
  readonly limitedLogger: Logger;
  /** True once the worker stops: GitHub must then send nothing more. */
  readonly isStopping: () => boolean;
}

const path = '/webhooks/github';

export function isWebhook({ url }: IncomingMessage): boolean {
  return url === path || url?.startsWith(`${path}?`) === true;
}

/**
 * Answers webhook deliveries before the web framework sees them. They arrive in bursts, and the framework would add
 * a twentieth to the cost of an answer (docs/decisions/016-the-workers-http.md).
 */
export function createWebhookListener(options: WebhookOptions): RequestListener {
  return (request, response) => {
    answer(request, options)
      .then((webhookAnswer) => send(request, response, webhookAnswer, options.isStopping()))
      .catch((error: unknown) => {
        options.limitedLogger.error('A delivery could not be answered.', { error: String(error) });
        response.destroy();
      });
  };
}

async function answer(
  request: IncomingMessage,
  { receive, ports, logger, limitedLogger, isStopping }: WebhookOptions,
): Promise<WebhookAnswer> {
  if (isStopping()) return unavailable('stopping');
  const webhookAnswer = await receive(request);
  const { status, result, reason, subject } = webhookAnswer;
  ports.metrics.deliveries.inc({ result });
  ports.deliveries.answered(request.headers, { status, result, reason, subject });
  const { id, event } = deliveryHeaders(request.headers);
  const isSigned = result !== 'refused' && result !== 'unavailable';
  (isSigned ? logger : limitedLogger).info('Delivery answered.', {
    delivery_id: id,
    event,
    status,
    result,
    reason,
  });
  return webhookAnswer;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, result, reason, headers }: WebhookAnswer,
  isLast: boolean,
): void {
  const text = JSON.stringify({ result, reason });
  const unread = isUnread(request);
  if (unread) discardRest(request, response);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    ...(unread || isLast ? { connection: 'close' } : {}),
  });
  response.end(text);
}

/**
 * Whether a part of the request's body has not arrived yet. Then the connection must be closed after the answer,
 * because the rest would be read as the next request.
 */
export function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined);
}

/**
 * Reads and discards the rest of the body for a moment after the answer. If the connection were closed at once, the
 * sender would not get the answer.
 */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    request.resume();
    setTimeout(() => request.socket.destroy(), 500).unref();
  });
}
